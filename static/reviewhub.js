// What plain forms and htmx attributes cannot say: where the focus goes after a swap, the clipboard, and trouble.
"use strict";

function tell(words) {
  const trouble = document.getElementById("trouble");
  trouble.textContent = words;
  trouble.hidden = !words;
}

document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr, target } = event.detail;
  if (xhr.status >= 500) {
    event.detail.shouldSwap = false;
    tell("The site failed to answer, so this page is as it was. Try again in a moment.");
  } else if (xhr.status >= 400 && target !== document.body) {
    // A refusal is a page of its own, never a part of this one.
    event.detail.target = document.body;
    event.detail.swapOverride = "innerHTML";
  } else {
    tell("");
  }
});

document.addEventListener("htmx:sendError", () => {
  tell("The site cannot be reached, so this page may be out of date. It is asked again.");
});

document.addEventListener("htmx:afterSettle", (event) => {
  const place = event.detail.elt;
  if (!(place instanceof Element)) return;
  const wanted = place.matches("[data-focus]") ? place : place.querySelector("[data-focus]");
  if (wanted) wanted.focus();
  else if (place === document.body) document.getElementById("main").focus({ preventScroll: true });
});

document.addEventListener("htmx:afterRequest", async (event) => {
  const source = event.detail.elt.dataset.copies;
  if (!source || !event.detail.successful) return;
  const text = document.getElementById(source);
  const said = document.getElementById("copy-said");
  if (!text || !said) return;
  try {
    await navigator.clipboard.writeText(text.value);
    said.textContent = "Copied to the clipboard.";
  } catch {
    text.closest("details").open = true;
    text.focus();
    text.select();
    said.textContent = "The browser withheld the clipboard. The text is selected: press Ctrl+C.";
  }
});
