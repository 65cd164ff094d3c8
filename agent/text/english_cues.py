"""English words that tell the role of a figure and the status of a line, as patterns over folded text."""

__all__ = [
    "ATTRIBUTED_NOUNS",
    "AWAITED",
    "COLLECTION_CUES",
    "COMPARED",
    "CONDITIONALS",
    "CONDITIONS",
    "DEADLINE_CUES",
    "DEMAND_CUES",
    "DENIALS",
    "DENIAL_IDIOMS",
    "DUE_CUES",
    "EVENT_CUES",
    "EXCEPTIONS",
    "FEE_CUES",
    "LATE_WORDS",
    "LIST_GLUE",
    "MODALS",
    "NEGATED_PAYMENT",
    "NEGATIONS",
    "NOT_FEE_CUES",
    "PAID_DATE_CUES",
    "PAST_DUE",
    "PAST_REMINDER",
    "PAST_VERBS",
    "PERIOD_CUES",
    "REMINDING",
    "ROLE_CUES",
    "SETTLED",
    "STATUS_ADJECTIVES",
    "STATUS_CUES",
    "TOTAL_AFTER",
    "TOTAL_BEFORE",
    "TURNED",
    "UNREAL",
]

TOTAL_BEFORE = (
    r"\b(?:totals?|totall?ing|totall?ed|balance|sum|sums|overall|combined|altogether|together|all told|in all|"
    r"com(?:es?|ing) (?:up )?to|add(?:s|ing)? up|amount(?:s|ing)? to|work(?:s|ing)? out (?:at|to)|"
    r"brings? (?:you|it|this|the)|mak(?:es?|ing)|grand total|aggregate|account stands)\b"
)
"""What makes a figure after it a sum."""

TOTAL_AFTER = (
    r"\s*(?:is|are|remains?|being)?\s*(?:the|your|our|a)?\s*(?:grand|full|overall|combined|whole)?\s*"
    r"(?:(?:total|balance|sum)\b|in (?:all|total|sum)\b|altogether\b|together\b|combined\b|all told\b|overall\b)"
)
"""What makes a figure right before it a sum."""

LIST_GLUE = (
    r"(?:\s|[,/&+:=#|.-]|\b(?:and|or|as well as|plus|also|both|with|together|along|for|of|at|over|in|dated|due|from|on|"
    r"which|fell|was|were|billed|worth|totalling|your|our|the|invoices?|items?|lines?|bills?|transactions?|nos?|"
    r"numbers?|"
    r"ref|credit|notes?|respectively|open|overdue)\b)*"
)
"""What may stand between lines that are named as one list."""

CONDITIONS = r"\b(?:if|unless|once|whether|should you|in case|as soon as|when|until|before)\b"
"""What makes a status a condition."""

MODALS = r"\b(?:must|should|has to|have to|needs? to|is to|are to|ought to|shall) be\b"
"""What makes paid a demand."""

CONDITIONALS = (
    r"\b(?:if|unless|once|whether|should you|should this|in case|in the event|as soon as|provided|when|until)\b"
)

ROLE_CUES: dict[str, str] = {
    "other": (
        r"(?:late |admin\w* |processing |reminder |legal |collection )?fees?|interest|penalt(?:y|ies)|surcharges?|"
        r"discount(?:ed|s)?|rebates?|refund(?:s|ed|able)?|deposits?|instal?lments?|vat|compensation|bonus|reduction|"
        r"reduced|deduct(?:ed|ion)?|waive[ds]?|written off|write-off|cashback|goodwill|gift|extra|additional|costs?"
    ),
    "disputed": r"disput(?:e|ed|ing|es)|contested|queried|under query|in question",
    "credit": r"credits?|credited|credit notes?|in your favou?r",
    "paid": (
        r"(?:already |partly |partially |part-|fully )?paid|received|settled|cleared|remitted|arrived|thank you for|"
        r"(?<=for )paying|(?<=for )settling|"
        r"thanks for|receipt of|paid to date|your (?:part |partial )?payments? of|payments? (?:received|made|"
        r"to date|so far)"
    ),
    "overdue": r"overdue|past due|late|arrears|past its due date",
    "invoiced": r"invoiced|billed|originally|original|gross|charged|invoice total|face value",
    "pay": (
        r"pay|settle|remit|transfer|send|clear|wire|payments?|paying|settling|remitting|settlement|to be paid|"
        r"be paid"
    ),
    "total": (
        r"totals?|totall?ing|balance|sum|altogether|together|in all|com(?:es?|ing) to|add(?:s|ing)? up to|amounts? to|"
        r"overall|combined|grand total"
    ),
    "open": (
        r"open|outstanding|unpaid|remain(?:s|ing|der)?|left|still|due|owing|owe[sd]?|payable|unsettled|pending|short|"
        r"not (?:yet )?(?:been )?(?:paid|received|settled|cleared)"
    ),
}
"""Words beside an amount that tell its role."""

NEGATED_PAYMENT = (
    r"(?:\b(?:not|never|no|nothing|without|un|yet|cannot|to be|must be|should be|will be|can be|may be|needs? to be|"
    r"has to be|have to be|await\w*|pending|until|being)|n't)(?:\s+(?:yet|been|be|have|has|currently|so far|we|"
    r"you|fully|"
    r"any|payment|to|the|in full|received|money|part|of|this|it|amount)){0,5}\s+"
    r"(?:already |partly |partially |part-|fully )?(?:paid|received|settled|cleared|remitted|arrived)$"
)
"""What turns paid into open: matched up to the end of the word itself."""

DEADLINE_CUES = (
    r"\b(?:pay|settle|be settled|remit|transfer|send|be sent|clear|be cleared|arrange|arranged|make|wire|reply|"
    r"respond|confirm|"
    r"let us|reach(?:es)? us|payment|settlement|receive|action|need|expect|deadline|required|be paid|payable)\b[^.;]*?"
    r"\b(?:by|before|until|till|no later than|not later than|latest|on or before|within|deadline(?: is| of)?|"
    r"on)\b[^.;]{0,20}$"
    r"|\b(?:no later than|not later than|deadline(?: is| of)?|pay-by date(?: is| of)?|please)\b[^.;]*$"
)
"""What before a date makes it a day to pay or answer by."""

PAST_DUE = (
    r"\b(?:was|were|had been|has been|have been|became|fell|went|since|should have|ought to have|already|originally|"
    r"overdue|passed|is past|are past)\b[^;]*$"
)
"""What before a date makes it a past one although it says due or by."""

PAST_VERBS = (
    r"\b(?:spoke|called|wrote|emailed|sent|received|agreed|promised|was|were|had|said|told|mentioned|confirmed|reached|"
    r"discussed|fell|went|passed|did|issued|got|asked|reminded|raised|opened|closed|contacted|heard|talked|paid|"
    r"arrived|"
    r"came|last|ago)\b"
)

DUE_CUES = (
    r"\b(?:due|overdue|late(?! fee)|in arrears|outstanding since|unpaid since|payable|lapsed|matured|maturity|"
    r"fell|fall|falls)\b"
)

PERIOD_CUES = (
    r"\b(?:for|period|billed|billing|covering|covers|services?|work|month of|invoice of|invoiced|dated|usage|during|"
    r"from|(?<!as )of)\b[^,;]{0,30}$"
)

PAID_DATE_CUES = r"\b(?:paid|paying|received|settled|settling|cleared|payment|arrived|credited)\b"

EVENT_CUES = (
    r"\b(?:call|called|calling|promising|emailing|spoke|speaking|wrote|writing|e-?mail|emailed|letter|promise[ds]?|agree[ds]?|agreement|"
    r"dispute[ds]?|"
    r"conversation|talked|phone|telephone|confirmed|discuss(?:ed|ion)|raised|opened|closed|told|said|statement|"
    r"as of|as at|"
    r"reminder|today|dated|heard|query|queried|reached|"
    r"(?:my|our|your|the|this) (?:(?:last|latest|earlier|previous|first|second|friendly|short|kind|recent) )?"
    r"(?:note|message|reply|response|enquiry|inquiry))\b"
)

COLLECTION_CUES = (
    r"\b(?:collections?|collecting|agency|debt collector|escalat\w+|refer(?:red)?|legal|hand(?:ed)? over)\b"
)

FEE_CUES = r"\b(?:late|fees?|interest|charges?|surcharge|penalt\w+)\b"

NOT_FEE_CUES = (
    r"\b(?:discount|off|rebate|refund|vat|tax|credit|reduction|waive[ds]?|gst|of the (?:balance|total|amount))\b"
)

PAST_REMINDER = (
    r"\b(?:sent|since|went|wrote|after|following|earlier|previous|received|was|were|unanswered|followed|had|"
    r"past|despite|"
    r"ago|emailed|already|did)\b"
)

REMINDING = (
    r"\b(?:remind(?:ed)?|reminders?|wrote|written|emailed|contacted|called|asked|reached|chased|been in touch|mailed)\b"
)

STATUS_ADJECTIVES: dict[str, str] = {
    "disputed": r"disputed|in dispute|contested|under dispute",
    "paid": r"(?<!not )(?<!not been )(?<!un)paid|settled|cleared",
    "credit": r"credits?",
    "overdue": r"overdue|past due|past-due|late|past",
    "open": r"open|outstanding|unpaid|due|owing|owed|remain(?:s|ing)?|unsettled",
}
"""Adjectives that say which lines are counted."""

STATUS_CUES: dict[str, str] = {
    "partial": (
        r"(?:paid|settled|cleared) (?:only )?(?:in part|partly|partially)|"
        r"(?:partly|partially|part|half)[ -](?:paid|settled|cleared)|part[ -]payments?|partial payments?"
    ),
    "received": r"thank(?:s| you)(?: very much| again)? for(?= (?:the |your )?\ufffc)",
    "undisputed": (
        r"undisputed|(?:withdr[ae]wn?|dropped|closed|resolved|lifted|ended) (?:your |the |this |its )?dispute|"
        r"dispute (?:\S+ ){0,4}?(?:is|was|has been|have been) (?:\w+ )?(?:withdrawn|dropped|closed|resolved|"
        r"lifted|settled|over)"
    ),
    "disputed": r"disputed|in dispute|under dispute|contested|in query|under query|disputes?|disputing",
    "open": (
        r"open|unpaid|outstanding|overdue|past[ -]due|in arrears|owing|owed|unsettled|payable|"
        r"(?<=is )due|(?<=are )due|(?<=remains )due|(?<=remain )due|(?<=still )due|"
        r"(?<=now )due|(?<=yet )due|(?<=not )due|late|delinquent|"
        r"awaiting payment|awaiting settlement|awaits payment|await payment"
    ),
    "paid": (
        r"paid|settled|cleared|received|squared|closed|paid off|paid up|(?<=for )paying|(?<=for )settling|"
        r"(?<=for )clearing|thank(?:s| you)(?: very much| again)? for (?:your |the )?(?:\w+ )?(?:payment|settlement)"
        r"(?: of| for| on)?"
    ),
    "arrived": r"arrived|reached us|come in|come through|landed",
    "credit": r"in credit|a credit|credit (?:note|memo|balance)|credits",
    "invoice": r"invoices?|bills?",
}
"""What a line is said to be."""

DEMAND_CUES = r"(?:pay|settle|remit|clear|transfer)"
"""What asks for a line to be paid."""

LATE_WORDS = r"overdue|past[ -]due|in arrears|late|delinquent"

ATTRIBUTED_NOUNS = (
    r"\s+(?:[a-z-]+\s+){0,1}(?:invoices?|items?|lines?|bills?|amounts?|balances?|accounts?|sums?|totals?|positions?|"
    r"transactions?|charges?|entr(?:y|ies)|debts?|payments?|credits?|notes?|part|portion|figure|statement|matters?)\b"
)
"""What follows an adjective that stands before its noun."""

NEGATIONS = r"\b(?:not|never|no|nothing|none|neither|nor|without|cannot|hardly|yet to be|no longer|zero|nil)\b|n't\b"

UNREAL = (
    r"\b(?:if|unless|once|whether|should you|in case|as soon as|when|until|will be|would be|"
    r"(?<!seem )(?<!seems )(?<!appear )(?<!appears )(?<!considered )to be|must be|"
    r"should be|"
    r"can be|could be|may be|might be|has to be|have to be|needs? to be|want|wish|assume|until|before|await\w*|"
    r"look forward|"
    r"expect|request)\b"
)
"""What makes a status a wish, a condition or a time to come."""

EXCEPTIONS = (
    r"\b(?:except|excepting|besides|apart from|other than|excluding|unlike|as opposed to|rather than|"
    r"not)\s+(?:for\s+)?\S{0,12}\s*$"
)

DENIALS: tuple[str, ...] = (
    (
        r"\b(?:can|may|please|just|simply)\s+(?:safely\s+)?(?:forget|ignore|disregard)(?: about)? "
        r"(?:this|it|that|these|them)(?: \w+)?[.! ]*$"
    ),
    (
        r"(?:\b(?:not|never|no longer|nor|neither|hardly|need not|without)|n't)\b"
        r"(?:\s+(?!includ|part\b|contain|count|change|affect|cover|ask|mean|add|about|because|know|clear|"
        r"sure)\w+){0,4}?\s+"
        r"(?:ow(?:e[sd]?|ing)|due|payable|outstanding|open|overdue|pay|settle|remit)\b(?! to\b)"
    ),
    (
        r"(?:\b(?:not|never|no longer|nor|neither)|n't)\s+(?:\w+\s+){0,3}(?:have|need|required|obliged|expected|asked)"
        r"\s+(?:you\s+)?to\s+(?:\w+\s+)?(?:pay|settle|remit|send|transfer|do)\b"
    ),
    (
        r"\b(?:nothing|none|no (?:\w+ ){0,2}(?:amounts?|balances?|sums?|debts?|money|invoices?|items?|bills?|"
        r"charges?))\b"
        r"[^.;]{0,40}?\b(?:ow(?:e[sd]?|ing)|due|payable|outstanding|open|overdue|pay|paid|settle|remit|left|"
        r"remain\w*|required|"
        r"unpaid|needed|late)\b"
    ),
    (
        r"\b(?:owes?|owed|owing|due|outstanding|payable|balance|amount|total)\b[^.;,]{0,30}?"
        r"\b(?:is|are|comes? to|stands? at|amounts? to|equals|owes?)?\s*\b(?:nothing|zero|nil|none|naught|nought)\b"
    ),
    r"\bowes?\s+(?:us\s+)?(?:nothing|zero|nil|no money|not a)\b",
    (
        r"\bno (?:\w+ ){0,2}(?:payments?|action|settlement|remittance|transfer|debts?|arrears|liability|obligations?)\b"
        r"[^.;]{0,30}?\b(?:required|needed|necessary|due|outstanding|expected|exists?|remain\w*|owed|left)\b"
    ),
    (
        r"\b(?:there (?:is|are)|there's|you have|we (?:have|show|see)|leaves?|with|shows?)\s+(?:currently |now )?"
        r"(?:no|zero|nil)\s+(?:\w+ ){0,2}(?:balance|debts?|arrears|amounts?|outstanding|liability|open|"
        r"overdue|unpaid)\b"
    ),
    r"\bno need\b[^.;]{0,30}?\b(?:pay|settle|remit|payment|do|act|send|transfer)\b",
    r"\b(?:free|clear|rid) (?:of|from)\s+(?:any |all )?(?:debts?|arrears|charges?|liabilit\w+|obligations?)\b",
    r"\bdebt[- ]free\b",
    r"(?:\b(?:not|no longer|never)|n't) (?:\w+ ){0,2}indebted\b",
    (
        r"(?:\b(?:not|never)|n't)\s+(?:(?:need|have|required|obliged|expected|supposed)\s+(?:to\s+)?)?be\s+"
        r"(?:paid|settled|cleared|transferred|sent)\b"
    ),
    r"\b(?:needs?|requires?|calls? for)\s+no\s+(?:\w+\s+){0,2}(?:payments?|settlement|action|transfer)\b",
    r"\b(?:consider|regard|treat|deem|count|call)\b[^.;]{0,40}\b(?:paid|settled|closed|cleared|void|cancelled)\b",
    (
        r"\b(?:account|accounts|everything|balance|total|all (?:of )?(?:\w+ ){0,3}(?:invoices?|items?|bills?|"
        r"amounts?|lines?)|"
        r"both (?:\w+ )?(?:invoices?|items?|bills?)?|(?:whole|full|entire) amount|debt|books)\s+(?:\w+\s+){0,2}?"
        r"(?:is|are|was|were|has been|have been|stands?|been|now)\s+(?:\w+\s+){0,2}?"
        r"(?:paid|settled|cleared|clear|up to date|up-to-date|current|squared?|even|balanced|zero|nil|closed|"
        r"in good standing|"
        r"written off|waived|cancelled|forgiven)\b"
    ),
    r"\b(?:paid|settled|cleared)\s+(?:everything|all (?:your|the|of)|in full|the (?:full|whole|entire))\b",
    (
        r"\b(?:disregard|ignore)\s+(?:this|these|the|our|my|all|any|both|your)?\s*(?:\w+\s+)?(?:invoices?|bills?|"
        r"reminders?|balances?|amounts?|notices?|demands?|debts?|letters?|totals?)\b"
    ),
    (
        r"\b(?:you|we|things|matters|accounts)(?:'re| are)\s+(?:all |fully |now |quite )*(?:square|quits|settled|even|"
        r"clear|up to date|paid up|in the clear|all set)\b"
    ),
)
"""What denies the debt; matched inside a clause."""

SETTLED = (
    r"(?:it|this|that|they|these|both|all|everything)(?:'s|'ve)?\s+(?:(?:has|have|is|are|was|were|been|already|now|all|"
    r"fully|since|both)\s+){0,4}(?:paid|settled|cleared|closed|sorted)\b"
)
"""What calls the debt paid by a pronoun, at the start of a sentence."""

AWAITED = r"\b(?:await\w*|look(?:ing)? forward|expect\w*|request\w*|ask\w*|need|pending)\b"
"""What makes a payment one to come."""

TURNED: tuple[str, ...] = (
    r"\bwe (?:still |currently |now |do |also |actually )*owe (?:you|your|the client)\b",
    r"\b(?:owed|owing|due|payable|outstanding) (?:back )?to (?:you|your (?:company|firm|account))\b",
    r"\b(?:owed|payable|due) (?:to you )?by us\b",
    r"\byou(?:'re| are) (?:\w+ )?owed\b",
    r"\byour? (?:account )?(?:is|are|stands?|remains?|shows?) (?:\w+ )?(?:a )?(?:in credit|credit balance)\b",
    r"\bin credit\b",
    r"\bcredit balance\b",
    r"\bin your favou?r\b",
    r"\byou(?:'ve| have)? (?:\w+ )?overpaid\b",
    r"\b(?:will|shall|going to|can) (?:refund|reimburse|pay you|repay)\b",
    r"\bour debt\b",
    r"\byour overpayment\b",
    r"\bovercharged you\b",
    r"(?<!hear )\bback from us\b",
    r"\b(?:return|returned|refund|refunded|repaid|credited) to you\b",
    r"\bwe (?:\w+ ){0,5}pay(?:ing)? you\b",
    r"\bwe are (?:\w+ )?in (?:your debt|debt to you)\b",
)
"""What turns the direction of the debt."""

DENIAL_IDIOMS = (
    r"\bnothing else\b[^.;,]*|\bno other (?:\w+ )?(?:invoices?|items?|bills?|lines?|amounts?|balances?)\b[^.;,]*|"
    r"\ball (?:the |your |our )?other (?:\w+ )?(?:invoices?|items?|bills?|lines?|amounts?|balances?)\b[^.;,]*|"
    r"\b(?:no|not) later than\b|\bno longer than\b|\bnot too (?:late|early|soon)\b[^.;]*|"
    r"\bno doubt\b|\b(?:do not|don't|not|never|"
    r"please do not) (?:hesitate|worry|forget|"
    r"delay|ignore|wait|overlook)\b[^.;,]*|\bnot only\b|\bif not\b|\bdue to (?!you|your)|\bin due course\b|"
    r"\bwhy not\b|\bwhether or not\b|"
    r"\b(?:neither|none|no one)\b[^.;]{0,40}\b(?:paid|settled|cleared)(?: in full| yet)?\b|"
    r"\bnot sure\b|\bnot aware\b|\bfeel free\b|\bpayable to us\b|"
    r"\b(?:not|never|n't) (?!be |need |have to )(?:\w+ ){0,3}(?:paid|"
    r"settled|cleared|"
    r"received|remitted|reached|arrived|heard|seen|had|disputed)\b|\b(?:did|has|have|does|do)(?: not|"
    r"n't) (?:yet )?(?:reached?|arrived?|show|"
    r"cleared?|appear|received?)\b|\bno (?:payment|response|reply|record|answer|trace|sign|news|remittance|"
    r"transfer|receipt)s?\b"
    r"(?: \w+){0,2} (?:has|have|was|were|received|from|of|yet)\b|\bnothing (?:has|have|"
    r"was) (?:yet )?(?:been )?(?:paid|received|arrived)\b"
    r"|\bnone of (?:\w+ ){1,4}(?:has|have|was|were) (?:yet )?(?:been )?(?:paid|received|settled|cleared)\b"
    r"|\bnot yet due\b|\bnot (?:in|under) dispute\b|\bopen (?:question|point)s?\b|\bnot overlook\b"
)
"""Negations that deny no debt."""

COMPARED: dict[str, str] = {
    "older": r"older|oldest|earliest|longest[ -]standing|longest overdue|most overdue",
    "newer": r"newer|newest|latest|most recent|more recent|youngest",
    "larger": r"larger|largest|bigger|biggest|higher|highest|greater|greatest",
    "smaller": r"smaller|smallest|lower|lowest|lesser|least",
}
"""Words that compare lines, by the name of what they say."""
