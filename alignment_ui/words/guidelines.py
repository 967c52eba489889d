"""What annotators read before they align: rules and worked examples that a new study begins with, to be edited.

The rules and the ten cases are those that Cohn, Callison-Burch and Lapata (2008, §2) name. The paper refers to its
annotation guidelines for what to do in each; the wording and the examples here are our own.
"""

GUIDELINES = """\
You see two sentences that mean much the same. Show which words of one correspond to which words of
the other.

## What to link

**Link what could stand in for each other here.** Take the words out of one sentence and put them in
the place of their counterpart: if the sentence still says what it said, link them. They need not
mean the same anywhere else.

- The *lift* is broken. – The *elevator* is out of order. You may put *elevator* where *lift* was:
  link them.
- Words that are the same are linked as well, as long as they do the same work in both sentences.

## Sure or possible

- **Sure** (solid): either could replace the other, here, with nothing lost. Most links are of this
  kind.
- **Possible** (dashed): the two correspond, but the meaning or the grammar is a little off.

**Prefer sure.** If you would accept the exchange from a careful writer, it is sure. Use *possible*
for what you see and cannot quite stand behind, not for being on the safe side.

## Small or large

**Prefer small.** Link word by word wherever that makes sense: *old house – ancient building* is two
links, *old – ancient* and *house – building*.

Link **all words of one phrase with all words of the other** only where no smaller part corresponds,
as in idioms: *kicked the bucket – died*, *made up his mind – decided*.

## What to leave

**Leave missing information unlinked.** If one sentence says something on which the other is silent,
its words have no counterpart. Do not look for one. Most pairs have such words.

Link punctuation only with punctuation that does the same: full stop with full stop, an opening
quotation mark with an opening one.

## What is there already

Some pairs come with links that a program has drawn. It gets many right and some wrong, and it
misses most of what is not the same word. Go through the pair as if it were empty: remove what is
wrong, add what is missing. Other pairs come without any links; nothing else is different about
them.

If everything is right as it stands, or nothing corresponds at all, confirm that and go on.

The worked examples tell what to do in ten cases that come up again and again.
"""

WORKED_EXAMPLES = """\
Words in **bold** are linked surely, words in *italics* possibly; a dash joins what is linked, a
plus sign makes a block in which every word is linked with every word of the other side.

## A whole pair

> The minister turned down the plan on Friday because it would cost too much .
>
> On Friday the plan was rejected by the minister , who called it too expensive .

- **The – the**, **minister – minister**; **turned + down – rejected**, a block, since neither half
  means *rejected*
- **the – the**, **plan – plan**, **on – On**, **Friday – Friday**, **it – it**, **too – too**, **.
  – .**
- *much – expensive* and *cost – expensive*: together they say it, but not one by one
- *was*, *by*, the comma, *who called* and *because*, *would* stay unlinked: nothing there
  corresponds

## 1. Names

Link the parts of a name one by one if both sentences have them; otherwise link the whole name with
what is there.

- *Dr Ingrid Holm spoke – Ingrid Holm spoke*: **Ingrid – Ingrid**, **Holm – Holm**; *Dr* stays
  unlinked.
- *the United Nations – the UN*: **United + Nations – UN**.

## 2. Descriptions in place of a name

A description and a name, or two descriptions, that pick out the same person or thing here are
linked as blocks: surely if either would do, possibly if one tells noticeably more.

- *the capital – Oslo*, where that is the city meant: **the + capital – Oslo**.
- *the goalkeeper – the 23-year-old from Leeds*: *the + goalkeeper – the + 23-year-old + from +
  Leeds*.

## 3. Tenses

Link the verbs surely, their auxiliaries possibly, if the sentences put the same event in different
tenses.

- *she has moved – she moved*: **she – she**, **moved – moved**, *has – moved*.
- *it will open – it is to open*: **it – it**, **open – open**, *will – is + to*.

## 4. Noun phrases with different determiners

The nouns are a sure link. Determiners are a sure link if they are alike in meaning, otherwise a
possible one. A determiner without a counterpart stays unlinked.

- *a storm – the storm*: **storm – storm**, *a – the*.
- *each visitor – every visitor*: **each – every**, **visitor – visitor**.
- *children – the children*: **children – children** only.

## 5. Verbs of several words

Link main verb with main verb, and auxiliaries with auxiliaries: surely if they say the same of time
and voice, possibly if not.

- *was built – had been built*: **built – built**, *was – had + been*.
- *did not answer – didn’t reply* (split as *did n’t*): **did – did**, **not – n’t**, **answer –
  reply**.

## 6. Phrasal verbs

Verb and particle are one word in two pieces. Link both with the counterpart.

- *they put off the match – they postponed the match*: **put + off – postponed**.
- *she took off her coat – she took her coat off*: **took – took**, **off – off**.

## 7. Genitives

The mark of the genitive corresponds to the preposition that does its work. An article that only one
side needs stays unlinked.

- *the pilot ’s last flight – the last flight of the pilot*: **’s – of**, **pilot – pilot**, **last
  – last**, **flight – flight**, and **the** of *the pilot* with **the** of *the pilot*. The other
  *the* is unlinked.

## 8. Pronouns

Pronoun with pronoun is sure if both mean the same. A pronoun and the name or noun that it stands
for are a possible link: alone it says less.

- *Marta lost her keys – she lost her keys*: *Marta – she*, **her – her**.
- *they liked it – they enjoyed the film*: **they – they**, **liked – enjoyed**, *it – the + film*.

## 9. Repetitions

If a word stands twice in one sentence and once in the other, link the one that does the same work,
and leave the other unlinked. If both do, link both.

- *he ran and ran until dark – he ran until dark*: one **ran – ran**, the nearer in place.
- *the north and the south agreed – north and south agreed*: no link for either *the*.

## 10. Slips of the pen, and what is only nearly so

Read what was meant. A misspelt word is linked as if it were right.

- *the goverment fell – the government fell*: **goverment – government**.

What corresponds only roughly, figures that were rounded among it, is a possible link.

- *some forty people – 43 people*: *some + forty – 43*, **people – people**.
- *the shop was crowded – the shop was busy*: **crowded – busy**; *a few shoppers – many shoppers*:
  no link between *few* and *many*, which contradict each other.
"""
