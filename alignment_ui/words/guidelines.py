"""The default guidelines and worked examples for a new word alignment study. Researchers can edit both.

The rules and the ten cases come from Cohn, Callison-Burch and Lapata (2008, §2), who refer to their annotation
guidelines for each case. The wording and the examples in this file were written for Accord.
"""

from annotate.tasktypes import StudyTexts

GUIDELINES = """\
You see two sentences with nearly the same meaning. Show which words of one sentence correspond to which
words of the other.

## What to link

**Link words that could replace each other in these sentences.** Take the words out of one sentence
and put them in the place of the matching words. If the sentence still means the same, link the words. The
words can have different meanings elsewhere.

- The *lift* is broken. – The *elevator* is out of order. You could write *elevator* instead of
  *lift*, so link the two words.
- Link identical words too, if they play the same part in both sentences.

## Sure or possible

- **Sure** (solid line): each word could replace the other in this sentence without a change in
  meaning. Most links are sure.
- **Possible** (dashed line): the two words correspond, but the meaning or the grammar differs a
  little.

**Prefer sure links.** If a careful writer could exchange the two words, the link is sure. Use
*possible* if the match is not exact. Do not use *possible* just to be on the safe side.

## One word or several

**Prefer small links.** Link single words if you can: *old house – ancient building* is two links,
*old – ancient* and *house – building*.

Link **all words of one phrase with all words of the other** only if the individual words do not correspond, as in
idioms: *kicked the bucket – died*, *made up his mind – decided*.

## What not to link

**Do not link words without a match.** If only one sentence mentions something, its words have no
match in the other sentence. Most sentence pairs contain words without a match.

Link a punctuation mark only with one that has the same function, such as a full stop with a full stop, or an opening
quotation mark with an opening quotation mark.

## Suggested links

Some pairs start with links that a program suggested. Many of these links are right, but some are
wrong, and the program misses most words that match without being identical. Check every word: remove wrong links, and
add missing links. Other pairs start without links. Align the pairs that have no links in the same way.

If all links are right, or if no words correspond, confirm this and continue.

The worked examples show ten cases that occur often.
"""

WORKED_EXAMPLES = """\
In these examples, sure links are in **bold** and possible links are in *italics*. A dash separates two words that are
linked. A plus sign joins words into a block: each word of the block is linked with each word on the other side.

## A whole pair

> The minister turned down the plan on Friday because it would cost too much .
>
> On Friday the plan was rejected by the minister , who called it too expensive .

- **The – the**, **minister – minister**; **turned + down – rejected**, which is a block because
  neither *turned* nor *down* alone means *rejected*
- **the – the**, **plan – plan**, **on – On**, **Friday – Friday**, **it – it**, **too – too**, **.
  – .**
- *much – expensive* and *cost – expensive*: the two words match *expensive* only together
- The words *was*, *by*, *who called*, *because* and *would* and the comma are not linked, because
  they have no match.

## Case 1: Names

If both sentences contain the parts of a name, link the parts one by one. Otherwise, link the whole name with the words
that stand for it.

- *Dr Ingrid Holm spoke – Ingrid Holm spoke*: **Ingrid – Ingrid**, **Holm – Holm**; *Dr* is not
  linked.
- *the United Nations – the UN*: **United + Nations – UN**.

## Case 2: Descriptions instead of names

Link a description and a name as blocks if they refer to the same person or thing. Also link two descriptions as blocks
if they refer to the same person or thing. The link is sure if each description could replace the other. Mark the link
as possible if one description clearly says more than the other.

- *the capital – Oslo*, if Oslo is the capital that is meant: **the + capital – Oslo**.
- *the goalkeeper – the 23-year-old from Leeds*: *the + goalkeeper – the + 23-year-old + from +
  Leeds*.

## Case 3: Tenses

If the sentences describe the same event in different tenses, the link between the main verbs is sure
and the link between the auxiliary verbs is possible.

- *she has moved – she moved*: **she – she**, **moved – moved**, *has – moved*.
- *it will open – it is to open*: **it – it**, **open – open**, *will – is + to*.

## Case 4: Noun phrases with different determiners

Link the nouns as sure. Link the determiners as sure if they mean the same, and otherwise as
possible. Do not link a determiner that has no match.

- *a storm – the storm*: **storm – storm**, *a – the*.
- *each visitor – every visitor*: **each – every**, **visitor – visitor**.
- *children – the children*: only **children – children**.

## Case 5: Verbs of several words

Link main verbs with main verbs, and auxiliary verbs with auxiliary verbs. The links are sure if both verbs have the
same tense and voice; otherwise, they are possible.

- *was built – had been built*: **built – built**, *was – had + been*.
- *did not answer – didn’t reply*: **did + not – didn’t**, **answer – reply**. If *did n’t* are two words:
  **did – did**, **not – n’t**.

## Case 6: Phrasal verbs

In a phrasal verb, the verb and the particle belong together. Link both words to the matching word.

- *they put off the match – they postponed the match*: **put + off – postponed**.
- *she took off her coat – she took her coat off*: **took – took**, **off – off**.

## Case 7: Genitives

Link the genitive ending with the preposition that has the same function. Do not link an article that
only one sentence needs.

- *the pilot’s last flight – the last flight of the pilot*: **pilot’s – of + pilot**, **last – last**,
  **flight – flight**, and **the** of *the pilot’s* with **the** of *the pilot*. The other *the* is not linked.
  If *pilot ’s* are two words: **pilot – pilot**, **’s – of**.

## Case 8: Pronouns

Two pronouns get a sure link if they refer to the same person or thing. A link between a pronoun and a
name or noun is a possible link, because the pronoun alone conveys less information.

- *Marta lost her keys – she lost her keys*: *Marta – she*, **her – her**.
- *they liked it – they enjoyed the film*: **they – they**, **liked – enjoyed**, *it – the + film*.

## Case 9: Repetitions

If a word occurs twice in one sentence and once in the other, link the occurrence that has the same
function. Do not link the other occurrence. If both occurrences have the same function, link them both.

- *he ran and ran until dark – he ran until dark*: one link **ran – ran**, with the nearer *ran*.
- *the north and the south agreed – north and south agreed*: neither *the* is linked.

## Case 10: Typing errors and rough matches

Link a misspelt word as if it were spelt correctly.

- *the goverment fell – the government fell*: **goverment – government**.

Words that match only roughly, such as rounded numbers, get a possible link.

- *some forty people – 43 people*: *some + forty – 43*, **people – people**.
- *the shop was crowded – the shop was busy*: **crowded – busy**; *a few shoppers – many shoppers*:
  *few* and *many* are not linked, because they contradict each other.
"""

# The texts of studies with a pair of languages.
ABOUT_TRANSLATIONS = StudyTexts(
    guidelines="""\
You see a sentence and its translation. Show which words translate each other.

## What to link

**Link words that translate each other in these sentences.** A dictionary may also offer other words for them.

- *She caught a cold. – Sie hat sich erkältet.* Link *caught a cold* with *erkältet*: only together do the three words
  say what *erkältet* says.
- Link names, numbers and other words that are the same in both languages.

## Sure or possible

- **Sure** (solid line): in this sentence, the words are a good translation of each other. Most links are sure.
- **Possible** (dashed line): the words correspond, but the translation is free, or one word only carries a part of the
  grammar of the other.

**Prefer sure links.** Do not use *possible* just to be on the safe side.

## One word or several

**Prefer small links.** Link single words if you can: *old house – altes Haus* is two links, *old – altes* and *house –
Haus*.

Link **all words of one phrase with all words of the other** only if the individual words do not translate each other,
as in idioms: *it was raining cats and dogs – es goss in Strömen*. Here, *raining cats and dogs* and *goss in Strömen*
are one block.

## What not to link

**Do not link words without a match.** If the translation leaves something out or adds something, these words have no
match. The same holds for words that only one of the languages needs, such as an article or a form of *do*.

Link a punctuation mark only with one that has the same function.

If some pairs start with suggested links, check every word: remove wrong links, and add missing links. If no words
translate each other, confirm this and continue.
""",
    worked_examples="""\
In these examples, sure links are in **bold** and possible links are in *italics*. A dash separates two words that are
linked. A plus sign joins words into a block: each word of the block is linked with each word on the other side.

> Yesterday the minister did not answer the question .
>
> Gestern hat die Ministerin die Frage nicht beantwortet .

- **Yesterday – Gestern**, **minister – Ministerin**, **not – nicht**, **question – Frage**, **. – .**
- **the – die** twice: each article belongs to its own noun.
- **answer – beantwortet**: the verbs that carry the meaning.
- *did – hat*: both words only help the verb, and the two languages use them differently.

Words of one language often join into one word of the other:

- *the bus stop – die Bushaltestelle*: **the – die**, **bus + stop – Bushaltestelle**.
- *at the station – am Bahnhof*: **at + the – am**, **station – Bahnhof**.

A verb and its particle belong together, even if they stand apart:

- *he gave up – er gab auf*: **he – er**, **gave – gab**, **up – auf**.
- *she is calling him – sie ruft ihn an*: **she – sie**, **calling – ruft + an**, **him – ihn**, *is – ruft*.

Pronouns and free translations are possible links:

- *Marta lost her keys – sie verlor ihre Schlüssel*: *Marta – sie*, **lost – verlor**, **her – ihre**, **keys –
  Schlüssel**.
- *a few shoppers – einige Leute*: **a + few – einige**, *shoppers – Leute*.
""",
)
