"""The default guidelines and worked examples for a new chunk-alignment study in German. Researchers can edit both."""

GUIDELINES = """\
Sie sehen zwei Sätze. Verbinden Sie die **Wortgruppen** der beiden Sätze, die einander entsprechen. Wählen Sie für jede
Verbindung, **wie** die Wortgruppen einander entsprechen und **wie genau**.

Eine Wortgruppe besteht aus wenigen Wörtern, die zusammengehören: *ein alter Mann*, *sitzt*, *auf der Wiese*. Ein Punkt
oder ein Komma ist eine eigene Wortgruppe. Wenn die Sätze noch nicht in Wortgruppen geteilt sind, beginnen Sie damit:
Ziehen Sie über die Wörter jeder Wortgruppe.

1. **Verbinden** Sie Wortgruppen, die einander entsprechen. Beginnen Sie mit den klarsten Entsprechungen. Entscheidend
   ist, was die Wortgruppen in diesen beiden Sätzen bedeuten, nicht was sie allein bedeuten.
2. Wählen Sie für jede Verbindung einen **Typ**:
   - **EQUI**: Die Wortgruppen bedeuten hier dasselbe.
   - **OPPO**: Die Wortgruppen bedeuten das Gegenteil, zum Beispiel *steigt* und *fällt*.
   - **SPE1**: Die Bedeutungen sind ähnlich, aber die erste Wortgruppe ist genauer, zum Beispiel *ein rotes Auto* und
     *ein Auto*.
   - **SPE2**: Die Bedeutungen sind ähnlich, aber die zweite Wortgruppe ist genauer.
   - **SIMI**: Die Bedeutungen sind ähnlich, und keiner der anderen Typen passt, zum Beispiel *12 Personen* und
     *15 Personen*.
   - **REL**: Die Bedeutungen hängen zusammen, sind aber nicht ähnlich, zum Beispiel *eine Krankenpflegerin* und *das
     Krankenhaus*.
3. Wählen Sie einen **Wert** von 1 bis 5. EQUI hat immer den Wert 5, und kein anderer Typ kann diesen Wert haben. Der
   Wert 4 bedeutet, dass sich die Bedeutungen sehr nahe sind. Der Wert 3 bedeutet, dass sich die Wortgruppen in einer
   wichtigen Einzelheit unterscheiden. Die Werte 1 und 2 bedeuten, dass die Wortgruppen nur wenig ähnlich sind. Wenn der
   Wert 0 wäre, verbinden Sie die Wortgruppen nicht.
4. Markieren Sie eine Wortgruppe ohne Entsprechung als **NOALI**. Wenn jede Wortgruppe nur eine Verbindung haben kann,
   markieren Sie eine Wortgruppe als **ALIC**, deren Entsprechung schon mit einer anderen Wortgruppe verbunden ist.
   Satzzeichen am Ende eines Satzes brauchen weder eine Verbindung noch eine Markierung.

Ergänzen Sie **FACT**, wenn die eine Wortgruppe eine Tatsache nennt und die andere nur eine Behauptung. Ergänzen Sie
**POL**, wenn die eine Wortgruppe für etwas ist und die andere dagegen.
"""

WORKED_EXAMPLES = """\
> [ Zwei Jungen ] [ schießen ] [ einen Ball ] [ im Park ] [ . ]
>
> [ Kinder ] [ spielen ] [ Fußball ] [ . ]

- *Zwei Jungen* – *Kinder*: SPE1, 4. Jungen sind Kinder, und die erste Wortgruppe nennt außerdem die Anzahl.
- *schießen* – *spielen*: SPE1, 3. Einen Ball zu schießen ist eine Art zu spielen.
- *einen Ball* – *Fußball*: REL, 3. Ein Ball hängt mit dem Spiel zusammen.
- *.*: Satzzeichen am Ende eines Satzes brauchen keine Verbindung.
- *im Park*: NOALI. Der zweite Satz nennt keinen Ort.

> [ Der Minister ] [ dementiert ] [ den Bericht ]
>
> [ Der Minister ] [ bestätigt ] [ den Bericht ]

- *dementiert* – *bestätigt*: OPPO, 4. Die anderen Verbindungen haben den Typ EQUI und den Wert 5.
"""
