"""The default guidelines and worked examples for a new paraphrase study. Researchers can edit both."""

GUIDELINES = """\
You see a sentence with some marked words, and a list of other words. Imagine the sentence with each of the other words
in place of the marked words.

- Choose **yes** if the sentence would still mean the same, or so nearly the same that nobody would misunderstand it.
- Choose **no** if the sentence would mean something else, or if it would make no sense.

Think only of the meaning *in this sentence*. Two words that often have the same meaning can
differ in this sentence. Two words that usually differ in meaning can have the same meaning in this sentence.

Ignore small grammar mistakes. For example, choose “yes” if *factories* could replace *plant* and only the plural is
wrong.

Often, several of the words are right. If no word is right, choose “no” for all words.
"""

WORKED_EXAMPLES = """\
> She left her coat in the **hall** and went upstairs.

- *entrance*: yes. The coat is in the same place.
- *corridor*: yes. The meaning is not quite the same, but a reader would look for the coat in the same place.
- *auditorium*: no. An auditorium is a different kind of hall.

> Wipe the lens with a soft cloth before each **shot**.

- *photograph*: yes.
- *exposures*: yes. The plural is wrong, but the meaning is right.
- *injection*, *bullet*: no. These words can replace *shot* only in other sentences.
"""
