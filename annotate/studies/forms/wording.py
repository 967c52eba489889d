"""Labels and help texts for the pages of settings. The API reference has longer texts, which do not refer to other
fields.
"""

LABELS = {
    # without the unit, which stands in the field
    "lease_minutes": "Time limit per HIT",
    "break_minutes": "Break reminder after",
    "retention_days": "Personal data is removed after",
}
HELP = {
    "language": "A BCP 47 tag, such as en or pt-BR.",
    "instructions": "You can use Markdown in all texts.",
    "examples": "",
    "eligibility": "Annotators must confirm these conditions when they join.",
    "reward": "Pay per HIT. A change applies to HITs that annotators start later.",
    "currency": "A three-letter code, such as USD or EUR.",
    "payment_terms": "How, when and by whom annotators are paid. They see this text. Annotators who join by link "
    "also see a payment code.",
    "annotator_limit": "The places of stopped and withdrawn annotators become available again.",
    "joining_ends_at": "",
    "claiming_ends_at": "Annotators can still submit HITs that they have started.",
    "judgements": "Number of annotators who answer each question.",
    "questions_per_hit": "Gold questions are added to them.",
    "lease_minutes": "",
    "hits_per_annotator": "",
    "pilot_hits": "The study’s first HITs, with all judgements of their questions. 0 means no pilot.",
}
