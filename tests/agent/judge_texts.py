"""The sentences of which labelled drafts are built: four good ones for each criterion, and what defects make of them.

A defect leaves a sentence out (an empty text) or makes it say nothing of use. A criterion's score is 5 less its
defects.
"""

from dataclasses import dataclass

__all__ = ["SUBJECTS", "Subject"]

Pair = tuple[str, str]
"""A good sentence, and what stands in its place when it is defective."""


@dataclass(frozen=True)
class Subject:
    """What a draft is about; `parts` holds four pairs for each criterion, in the order of the text."""

    name: str
    part: str
    prompt: str
    rubric: str
    parts: dict[str, tuple[Pair, Pair, Pair, Pair]]
    function: str = ""


_SPLIT = Subject(
    "split_payment",
    "tune",
    "Write the docstring of split_payment(total_cents, num_people), which splits an amount into equal shares.",
    "docstring",
    {
        "summary": (
            ("Split an amount into near-equal shares.", "Handle the values."),
            ("The shares add up to the amount.", ""),
            ("All amounts are whole cents.", "All amounts are amounts."),
            ("Use it when several people share one bill.", ""),
        ),
        "args_returns": (
            ("total_cents: the amount to split, in cents.", "total_cents: a value."),
            ("num_people: how many people share it.", ""),
            ("Returns a list of integers, one share for each person.", "Returns the outcome."),
            ("The larger shares come first.", ""),
        ),
        "edge_cases": (
            ("When the amount does not divide evenly, the first people pay one cent more.", "It works for all input."),
            ("An amount of 0 gives a share of 0 to each person.", ""),
            ("A negative num_people gives an empty list.", "Negative values are handled."),
            ("When there are more people than cents, the last people pay 0.", ""),
        ),
        "raises": (
            ("Raises ZeroDivisionError,", "May go wrong,"),
            ("if num_people is 0.", "in some cases."),
            ("A text in place of a number raises TypeError.", ""),
            ("Check num_people before the call to avoid the error.", ""),
        ),
        "precision": (
            ("Only whole-number arithmetic is used.", "The arithmetic is good."),
            ("Nothing is rounded away.", ""),
            ("Two shares differ by at most one cent.", "The shares are about the same."),
            ("Equal input always gives equal shares.", ""),
        ),
    },
    "split_payment",
)
_PRORATE = Subject(
    "prorate_fee",
    "tune",
    "Write the docstring of prorate_fee(fee_cents, days_used, days_in_period), which charges part of a fee.",
    "docstring",
    {
        "summary": (
            ("Charge the part of a fee that falls on the days used.", "Do the calculation."),
            ("The charge of a full period is the whole fee.", ""),
            ("The fee and the charge are whole cents.", "The fee is a number."),
            ("Use it when a client joins or leaves in mid-period.", ""),
        ),
        "args_returns": (
            ("fee_cents: the fee of a full period, in cents.", "fee_cents: the input."),
            ("days_used and days_in_period: how many days were used, and how many there are.", ""),
            ("Returns the charge in cents.", "Returns something useful."),
            ("The charge is a single integer.", ""),
        ),
        "edge_cases": (
            ("With days_used of 0 the charge is 0.", "All kinds of days are fine."),
            ("More days used than the period has give more than the fee.", ""),
            ("A negative fee_cents gives a negative charge, as for a refund.", "Odd input is taken care of."),
            ("A fee smaller than the number of days may give a charge of 0.", ""),
        ),
        "raises": (
            ("Raises ZeroDivisionError,", "Can fail,"),
            ("if days_in_period is 0.", "now and then."),
            ("A missing number (None) raises TypeError.", ""),
            ("Make sure that the period has a day to avoid the error.", ""),
        ),
        "precision": (
            ("The fee is multiplied first and divided once, in whole numbers.", "The maths is solid."),
            ("A part of a cent is rounded down.", ""),
            ("The charge is less than one cent below the exact share.", "The charge is close enough."),
            ("The same days always give the same charge.", ""),
        ),
    },
    "prorate_fee",
)
_ROUND = Subject(
    "round_up",
    "test",
    "Write the docstring of round_up(amount_cents, step_cents), which rounds an amount up to a step.",
    "docstring",
    {
        "summary": (
            ("Round an amount up to the next multiple of a step.", "Process the amount."),
            ("With a positive step the result is never below the amount.", ""),
            ("Amount and step are whole cents.", "Amount and step are numeric things."),
            ("Use it for cash prices where small coins are not taken.", ""),
        ),
        "args_returns": (
            ("amount_cents: the amount to round, in cents.", "amount_cents: an argument."),
            ("step_cents: the step to round to, such as 5.", ""),
            ("Returns the rounded amount in cents.", "Returns the output."),
            ("It comes back as one integer.", ""),
        ),
        "edge_cases": (
            ("An amount that is a multiple already stays as it is.", "Special values are no problem."),
            ("An amount of 0 stays 0.", ""),
            ("A negative amount moves towards 0.", "Signs are dealt with."),
            ("A step of 1 changes nothing.", ""),
        ),
        "raises": (
            ("Raises ZeroDivisionError,", "Might not work,"),
            ("if step_cents is 0.", "depending on the input."),
            ("Text in place of the step raises TypeError.", ""),
            ("Pass a step of at least one cent to avoid the error.", ""),
        ),
        "precision": (
            ("Only whole numbers are divided, never floats.", "The result is of high quality."),
            ("The amount is rounded up, never down.", ""),
            ("It grows by less than one step.", "It grows a little."),
            ("The same amount and step always give the same result.", ""),
        ),
    },
    "round_up",
)
_LATE = Subject(
    "late_fee",
    "test",
    "Write the docstring of late_fee(amount_cents, days_late, daily_permille), which works out a late fee.",
    "docstring",
    {
        "summary": (
            ("Work out the late fee of an overdue amount.", "Compute a value."),
            ("The fee grows evenly with each day.", ""),
            ("Amount and fee are whole cents.", "Amount and fee are given as usual."),
            ("Use it for invoices with a simple daily rate.", ""),
        ),
        "args_returns": (
            ("amount_cents: what is overdue, in cents.", "amount_cents: self-explanatory."),
            ("days_late and daily_permille: the days of delay, and the rate for a day in thousandths.", ""),
            ("Returns the fee in cents.", "Returns the usual."),
            ("The fee is one integer, without the amount itself.", ""),
        ),
        "edge_cases": (
            ("With days_late of 0 the fee is 0.", "Unusual days work too."),
            ("A rate of 0 gives no fee.", ""),
            ("A negative amount_cents gives a fee of 0 or less.", "Other numbers are looked after."),
            ("A very small amount may give a fee of 0.", ""),
        ),
        "raises": (
            ("Raises ValueError,", "Complains,"),
            ("if days_late is negative.", "when it has to."),
            ("None in place of a number raises TypeError.", ""),
            ("Leave out invoices that are not due yet to avoid the error.", ""),
        ),
        "precision": (
            ("Whole numbers are multiplied first and divided once.", "It is computed with care."),
            ("A part of a cent is rounded down.", ""),
            ("The fee is less than one cent below the exact one.", "The fee is more or less exact."),
            ("The same delay always costs the same.", ""),
        ),
    },
    "late_fee",
)
_DISCOUNT = Subject(
    "discount",
    "tune",
    "A price is cut by 20 % and the new price by 10 %. By how much is the first price cut in all?",
    "discount",
    {
        "result": (
            ("The price is cut by 28 % in all.", "The price is cut by a fair amount."),
            ("The factor behind it is 0.72.", ""),
            ("A price of 100 dollars falls to 72 dollars.", "A price falls, for example."),
            ("The 28 % are a share of the first price.", ""),
        ),
        "working": (
            ("After the first cut, 0.80 of the price is left.", "The first cut is applied."),
            ("After the second cut, 0.90 of that is left.", "The second cut is applied."),
            ("Multiplied, 0.80 x 0.90 = 0.72.", "Both are put together somehow."),
            ("As a check, 100 - 20 = 80, and 80 - 8 = 72.", ""),
        ),
        "trap": (
            ("It is tempting to say 30 %.", "Take care."),
            ("That is wrong.", ""),
            ("The second cut is taken from the lower price, so the two do not add up.", "Discounts are tricky."),
            ("To avoid the mistake, multiply what is left.", ""),
        ),
    },
)
_GROWTH = Subject(
    "growth",
    "tune",
    "A fee rises by 10 % in each of two years. By how much does it rise in all?",
    "worked_answer",
    {
        "result": (
            ("The fee rises by 21 % in all.", "The fee rises a lot."),
            ("The factor behind it is 1.21.", ""),
            ("A fee of 200 dollars becomes 242 dollars.", "A fee becomes a higher fee."),
            ("The 21 % are a share of the first fee.", ""),
        ),
        "working": (
            ("After the first year the fee is 1.10 times what it was.", "There is a first year."),
            ("After the second year it is 1.10 times that.", "There is a second year."),
            ("Multiplied, 1.10 x 1.10 = 1.21.", "The years are combined."),
            ("As a check, 200 + 20 = 220, and 220 + 22 = 242.", ""),
        ),
        "trap": (
            ("It is tempting to say 20 %.", "Be careful."),
            ("That is not right.", ""),
            ("The second rise is taken from the higher fee, so it is larger than the first.", "Growth is hard."),
            ("To avoid the mistake, multiply the factors.", ""),
        ),
    },
)
_UP_DOWN = Subject(
    "up_and_down",
    "test",
    "A price rises by 25 % and then falls by 25 %. By how much has it changed in all?",
    "worked_answer",
    {
        "result": (
            ("In all, the price has fallen by 6.25 %.", "In all, the price has changed."),
            ("The factor behind it is 0.9375.", ""),
            ("A price of 160 dollars ends at 150 dollars.", "A price ends somewhere else."),
            ("The 6.25 % are a share of the price at the start.", ""),
        ),
        "working": (
            ("The rise makes 1.25 of the price.", "The rise comes first."),
            ("The fall leaves 0.75 of that.", "The fall comes second."),
            ("Multiplied, 1.25 x 0.75 = 0.9375.", "The two are joined."),
            ("As a check, 160 + 40 = 200, and 200 - 50 = 150.", ""),
        ),
        "trap": (
            ("One might say that nothing has changed.", "This one is subtle."),
            ("That would be wrong.", ""),
            ("The fall is taken from the raised price, so it takes more than the rise added.", "Changes interact."),
            ("Multiply the factors to avoid the mistake.", ""),
        ),
    },
)
_TAX = Subject(
    "tax_inside",
    "test",
    "A price of 120 dollars holds 20 % sales tax on the net price. What share of the 120 dollars is tax?",
    "worked_answer",
    {
        "result": (
            ("Tax makes up one sixth of the price, about 16.7 %.", "Tax makes up a part of the price."),
            ("The factor from gross to net is 1 / 1.20.", ""),
            ("Of the 120 dollars, 20 dollars are tax.", "Some of the dollars are tax."),
            ("The sixth is a share of the gross price, not of the net price.", ""),
        ),
        "working": (
            ("The net price is 120 / 1.20 = 100 dollars.", "The net price is found."),
            ("The tax is 120 - 100 = 20 dollars.", "The tax is found."),
            ("Put together, 20 / 120 is one sixth.", "They are related to each other."),
            ("As a check, 20 % of 100 dollars are 20 dollars.", ""),
        ),
        "trap": (
            ("The tempting answer is 20 %.", "Pay attention."),
            ("It is not correct.", ""),
            ("The 20 % are counted on the net price, and the question is about the gross price.", "Tax is confusing."),
            ("To avoid the mistake, find the net price first.", ""),
        ),
    },
)
SUBJECTS = (_SPLIT, _PRORATE, _ROUND, _LATE, _DISCOUNT, _GROWTH, _UP_DOWN, _TAX)
