"""What a study of paraphrases in context begins with, for researchers to change: instructions, worked examples."""

GUIDELINES = """\
You see a sentence with a few words marked, and a list of other words. For each of them, imagine the sentence with these
words in the place of the marked ones.

- Say **yes** if the sentence would still say the same, or so nearly the same that nobody would be misled.
- Say **no** if it would say something else, or nothing sensible.

What counts is the meaning *in this sentence*. A word that often means the same may be wrong here, and the other way
round.

Do not mind small mistakes of grammar: if *plant* could be replaced by *factories* but for the plural, say yes.

Often several are right. Sometimes none is: then say no to all of them. Some of the questions are there to check that
answers are given with care, and you cannot see which.
"""

WORKED_EXAMPLES = """\
> She left her coat in the **hall** and went upstairs.

- *entrance*: yes. The coat is in the same place.
- *corridor*: yes. Not quite the same, but nobody would look for the coat elsewhere.
- *auditorium*: no. That is another kind of hall.

> Wipe the lens with a soft cloth before each **shot**.

- *photograph*: yes.
- *exposures*: yes. The number is wrong, the meaning right.
- *injection*, *bullet*: no. They fit *shot* in other sentences.
"""
