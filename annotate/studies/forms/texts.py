"""The labels and help texts that the form shows for a study's settings."""

from __future__ import annotations

LOCKED = "This setting is locked because the study has been opened and existing answers depend on it."
LOCKED_JUDGEMENTS = (
    "This setting is locked because the study has been opened. You can add judgements on the overview page."
)

LABELS = {
    "language": "Language of the texts",
    "direction": "Text direction",
    "instructions": "Instructions",
    "examples": "Worked examples",
    "protocol_number": "Protocol number",
    "privacy_notice": "Privacy notice",
    "retention_days": "Days until personal data is removed",
    "eligibility": "Conditions for taking part",
    "reward": "Reward",
    "payment_terms": "Payment terms",
    "contact": "Contact for annotators",
    "currency": "Currency",
    "planned_hourly_wage": "Planned hourly wage",
    "minimum_hourly_wage": "Minimum hourly wage",
    "budget_cap": "Budget cap",
    "judgements": "Judgements per question",
    "questions_per_hit": "Questions per HIT",
    "order": "Order of assignments",
    "recruitment": "Source of annotators",
    "admission": "Who can join",
    "excluded_studies": "Exclude people who took part in these studies",
    "admitted_studies": "Admit only people who took part in these studies",
    "annotator_limit": "Maximum number of annotators",
    "waiting_list": "Offer a waiting list when all places are taken",
    "joining_ends_at": "Deadline for joining",
    "claiming_ends_at": "Deadline for starting HITs",
    "time_zone": "Time zone of the deadlines",
    "activity_summaries": "Collect activity summaries",
    "network_check": "Mark annotators on the same network as a stopped annotator",
    "lease_minutes": "Time limit per HIT, in minutes",
    "hits_per_annotator": "Maximum HITs per annotator",
    "gold_block": "Questions per gold question",
    "gold_exhausted": "Annotators who have answered all gold questions",
    "rule_threshold": "Pass mark",
    "rule_minimum": "Minimum gold answers before the rule applies",
    "rule_unit": "Unit of the minimum",
    "rule_measure": "Measure of accuracy",
    "pay_stopped": "Pay stopped annotators for the HIT in progress",
    "skips_allowed": "Annotators can skip questions",
    "gold_skips_allowed": "Gold questions that an annotator can skip",
    "put_aside_allowed": "HITs that an annotator can put aside",
    "break_minutes": "Minutes of work until a break reminder",
    "practice": "Start with the practice questions, if there are any",
    "qualification_mark": "Pass mark of the qualification",
    "qualification_tries": "Tries to pass the qualification",
    "qualification_pay": "Payment for annotators who do not pass",
    "blind_adjudication": "Hide the annotators’ pseudonyms from reviewers who decide",
    "pilot_hits": "HITs in the pilot",
    "piloting": "Assign only the HITs of the pilot until the pilot ends",
    "pilot_counts": "Count the answers of the pilot",
    "target_figure": "Figure with a target",
    "target_value": "Target value",
    "target_minimum": "Minimum judgements per question",
    "target_pauses": "Pause the study when it reaches the target",
}
HELP = {
    "target_value": "Enter a number between 0 and 1. A reliability must be at least this number, and the width of an "
    "interval must be at most this number.",
    "target_minimum": "The study has not reached its target until each question has this number of judgements.",
    "target_pauses": "Annotators then get no new HITs, but can finish open HITs and are paid for them. You can open "
    "the study again at any time.",
    "instructions": "Write the instructions in Markdown. A study without instructions cannot be opened.",
    "examples": "Write the worked examples in Markdown.",
    "recruitment": (
        "With Prolific, the join page reads PROLIFIC_PID from the link. If the link does not contain PROLIFIC_PID, the "
        "page asks the person to open the study from Prolific. Accord ignores this parameter if you use your own links."
    ),
    "annotator_limit": "Stopped and withdrawn annotators do not count. If this field is empty, there is no limit.",
    "waiting_list": "Accord offers free places to the people on the waiting list, in order, for 48 hours each.",
    "joining_ends_at": "Nobody can join after this time. If this field is empty, there is no deadline.",
    "claiming_ends_at": "After this time, annotators get no new HITs, but can still submit HITs that they have already "
    "started. If this field is empty, there is no deadline.",
    "time_zone": "Enter a name such as Europe/Berlin or America/New_York. Annotators see the deadlines in this time "
    "zone.",
    "activity_summaries": (
        "With each answer, Accord stores counts and timings of the annotator’s input, but not the keys pressed or "
        "the text entered. The Annotators page shows unusual figures as integrity indicators. Accord never stops "
        "annotators because of integrity indicators. A study with activity summaries can be opened only if its "
        "consent text mentions them."
    ),
    "network_check": (
        "State in the consent text that the study stores a keyed hash of the network address for 30 days, to detect "
        "people who join twice. Accord compares only annotators who join after you turn this option on. People in the "
        "same lab or household often share a network, so a match is not proof."
    ),
    "contact": "Enter a researcher's name and e-mail address. Annotators see this contact on the study's pages. A "
    "study without a contact cannot be opened.",
    "payment_terms": "State how, when and by whom annotators are paid. Annotators see this text next to their pay.",
    "skips_allowed": "Annotators must give a reason. You can read the reasons on the Messages page. HITs with skipped "
    "questions are paid in full. The to-do list shows annotators who skip whole HITs.",
    "gold_skips_allowed": "Any additional skipped gold question counts as missed.",
    "gold_exhausted": (
        "Annotators who continue see HITs without the gold questions that they know. Two annotators of the same HIT "
        "can therefore compare their screens and recognize gold questions. If annotators are finished instead, both "
        "see the same questions, but the study needs more annotators or more gold questions."
    ),
    "put_aside_allowed": "Annotators do not get these HITs again. All other returned HITs come back to the annotator.",
    "break_minutes": "Enter between 5 and 240 minutes. If this field is empty, annotators see no reminder.",
    "rule_unit": "",
    "currency": "Enter a three-letter code, such as USD or EUR.",
    "planned_hourly_wage": "The overview uses this wage to calculate how long a HIT can take for its reward.",
    "minimum_hourly_wage": "The overview and the Pay page show a warning if the actual hourly wage is lower.",
    "budget_cap": "Annotators get no new HITs once rewards, open HITs and bonuses reach this amount. Annotators are "
    "still paid for HITs that are already open, and for HITs that they submit late. Platform fees are not "
    "included.",
    "reward": "Pay per HIT. A changed reward applies to HITs that annotators start after the change.",
    "rule_minimum": "If the minimum is low, the rule stops more good annotators by chance. The Gold questions page "
    "shows the probability of stopping a good annotator by chance.",
    "rule_threshold": "The rule stops annotators whose accuracy is below this share, such as 0.7. 0 turns it off.",
    "blind_adjudication": (
        "The Adjudication page then shows Annotator A, Annotator B and so on, in a different order for each question."
    ),
    "pilot_hits": "The pilot consists of the study's first HITs. Enter 0 if the study needs no pilot.",
    "piloting": "You can end the pilot on the Overview page. A study without a pilot ignores this setting.",
    "practice": "",
    "qualification_mark": (
        "Share of practice questions that annotators must answer as expected, such as 0.8. Leave this field empty for "
        "practice without a qualification. Annotators do not see the pass mark."
    ),
    "qualification_tries": (
        "The practice questions are divided among the tries, so that no try repeats a question. Five practice "
        "questions per try is a good minimum."
    ),
    "qualification_pay": (
        "Annotators see before they join whether the practice questions are paid. 0 means that annotators who do not "
        "pass are not paid."
    ),
    "pay_stopped": "Submitted HITs are always paid, even after a stop.",
    "pilot_counts": "",
}
WIDE = frozenset(
    [
        *("title", "excluded_studies", "admitted_studies", "instructions", "examples", "privacy_notice", "eligibility"),
        *("consent", "consent_pays_stopped", "payment_terms", "contact"),
    ]
)
ROWS = {"instructions": 10, "examples": 8, "consent": 8, "privacy_notice": 8, "eligibility": 2, "payment_terms": 3}


# The possible answers to the question about the consent text, with the stored values.
PROMISES = {"": None, "yes": True, "no": False}

LINKED_HELP = {
    "excluded_studies": (
        "People who took part in one of these studies cannot join this study or get new HITs in it. Accord can "
        "recognise only people who have accounts, not people who joined through an open link."
    ),
    "admitted_studies": (
        "Only people who took part in one of these studies can join this study. The study must require accounts. If "
        "you select no study, everyone can join."
    ),
}
LOCKED_LINKS = "Some of these studies belong to another owner. Only the other owner can change this list."
