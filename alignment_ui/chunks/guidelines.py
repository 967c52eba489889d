"""What annotators of chunks read in a new study. Researchers change it as they like."""

GUIDELINES = """\
You see two sentences. Say which **chunks** of the first match which chunks of the second, **how** they match, and
**how closely**.

A chunk is a short phrase that belongs together: *an old man*, *is sitting*, *on the grass*. A full stop or a comma is
a chunk of its own. Where the chunks are not made yet, make them first: drag over the words of each.

1. **Link** what matches. Begin with what is clearest. Judge chunks as they are meant in these two sentences, not by
   themselves.
2. **Say how** they match:
   - **EQUI** – they mean the same here.
   - **OPPO** – they mean the opposite: *rises* – *falls*.
   - **SPE1** – the same, but the first says more: *a red car* – *a car*.
   - **SPE2** – the same, but the second says more.
   - **SIMI** – similar, and none of the above: *12 people* – *15 people*.
   - **REL** – related and not similar: *a nurse* – *the hospital*.
3. **Say how closely**, from 1 to 5. EQUI is always 5, and nothing else is. 4 is very close, 3 differs in something that
   matters, 1 and 2 are only a little alike. What would score 0 is no match.
4. **Leave over** what matches nothing (**NOALI**). Where each chunk can have one link only, a chunk whose match is
   taken already is **ALIC**.

Add **FACT** where one is told as a fact and the other as a claim, and **POL** where one is for and the other against.
"""

WORKED_EXAMPLES = """\
> [ Two boys ] [ are kicking ] [ a ball ] [ in the park ] [ . ]
>
> [ Children ] [ play ] [ football ] [ . ]

- *Two boys* – *Children*: SPE1, 4. Both are children, and the first says how many and that they are boys.
- *are kicking* – *play*: SPE1, 3. Kicking is one way to play.
- *a ball* – *football*: REL, 3. The ball belongs to the game.
- *.* – *.*: EQUI, 5.
- *in the park*: NOALI. The second sentence does not say where.

> [ The minister ] [ denies ] [ the report ]
>
> [ The minister ] [ confirms ] [ the report ]

- *denies* – *confirms*: OPPO, 4. Everything else is EQUI, 5.
"""
