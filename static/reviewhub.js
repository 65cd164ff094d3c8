// What plain forms and htmx attributes cannot say: where the focus goes after a swap, and the clipboard.
"use strict";

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
