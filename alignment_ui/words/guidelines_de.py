"""The default guidelines and worked examples for a new word-alignment study in German. Researchers can edit both.

The rules and the ten cases are the same as in the English guidelines. The examples are German sentences.
"""

GUIDELINES = """\
Sie sehen zwei Sätze, die fast dasselbe bedeuten. Zeigen Sie, welche Wörter des einen Satzes welchen Wörtern des
anderen Satzes entsprechen.

## Was Sie verbinden

**Verbinden Sie Wörter, die einander in diesen Sätzen ersetzen könnten.** Nehmen Sie die Wörter aus dem einen Satz, und
setzen Sie sie an die Stelle der entsprechenden Wörter. Wenn der Satz immer noch dasselbe bedeutet, verbinden Sie die
Wörter. In anderen Sätzen dürfen die Wörter Verschiedenes bedeuten.

- Der *Lift* ist defekt. – Der *Aufzug* ist außer Betrieb. Statt *Lift* könnte dort auch *Aufzug* stehen, also
  verbinden Sie die beiden Wörter.
- Verbinden Sie auch gleiche Wörter, wenn sie in beiden Sätzen dieselbe Rolle spielen.

## Sicher oder möglich

- **Sicher** (durchgezogene Linie): Jedes der beiden Wörter könnte das andere in diesem Satz ersetzen, ohne dass sich
  die Bedeutung ändert. Die meisten Verbindungen sind sicher.
- **Möglich** (gestrichelte Linie): Die beiden Wörter entsprechen einander, aber Bedeutung oder Grammatik
  unterscheiden sich ein wenig.

**Wählen Sie im Zweifel „sicher“.** Wenn ein sorgfältiger Mensch die beiden Wörter austauschen könnte, ist die
Verbindung sicher. Wählen Sie *möglich*, wenn die Wörter nicht genau zusammenpassen, aber nicht nur zur Vorsicht.

## Ein Wort oder mehrere

**Bevorzugen Sie kleine Verbindungen.** Verbinden Sie möglichst einzelne Wörter: *altes Haus – betagtes Gebäude* sind
zwei Verbindungen, *altes – betagtes* und *Haus – Gebäude*.

Verbinden Sie **alle Wörter eines Ausdrucks mit allen Wörtern des anderen** nur dann, wenn die einzelnen Wörter
einander nicht entsprechen, zum Beispiel bei Redewendungen: *gab den Löffel ab – starb*, *traf eine Entscheidung –
entschied*.

## Was Sie nicht verbinden

**Verbinden Sie keine Wörter ohne Entsprechung.** Wenn nur ein Satz etwas erwähnt, haben diese Wörter im anderen Satz
keine Entsprechung. Die meisten Satzpaare enthalten solche Wörter.

Verbinden Sie ein Satzzeichen nur mit einem Satzzeichen, das dieselbe Aufgabe hat: einen Punkt mit einem Punkt oder ein
öffnendes Anführungszeichen mit einem öffnenden Anführungszeichen.

## Vorgeschlagene Verbindungen

Einige Paare beginnen mit Verbindungen, die ein Programm vorgeschlagen hat. Viele davon sind richtig, einige aber
falsch, und das Programm übersieht die meisten Wörter, die einander entsprechen, ohne gleich zu sein. Prüfen Sie jedes
Wort: Entfernen Sie falsche Verbindungen, und ergänzen Sie fehlende. Andere Paare beginnen ohne Verbindungen. Bearbeiten
Sie diese Paare genauso.

Wenn alle Verbindungen stimmen oder keine Wörter einander entsprechen, bestätigen Sie das, und gehen Sie weiter.

Die ausgearbeiteten Beispiele zeigen zehn Fälle, die oft vorkommen.
"""

WORKED_EXAMPLES = """\
In diesen Beispielen sind sichere Verbindungen **fett** und mögliche Verbindungen *kursiv* gesetzt. Ein Gedankenstrich
steht zwischen zwei verbundenen Wörtern. Ein Pluszeichen fasst Wörter zu einem Block zusammen: Jedes Wort des Blocks ist
mit jedem Wort der anderen Seite verbunden.

## Ein ganzes Paar

> Der Minister lehnte den Plan am Freitag ab , weil er zu viel kosten würde .
>
> Am Freitag wurde der Plan vom Minister verworfen , der ihn zu teuer nannte .

- **Minister – Minister**; **lehnte + ab – verworfen**, ein Block, weil weder *lehnte* noch *ab* allein *verworfen*
  bedeutet
- **den – der**, **Plan – Plan**, **am – Am**, **Freitag – Freitag**, **, – ,**, **er – ihn**, **zu – zu**, **. – .**
- *Der – vom*: Nur ein Teil von *vom* ist der Artikel.
- *viel – teuer* und *kosten – teuer*: Die beiden Wörter entsprechen *teuer* nur zusammen.
- Die Wörter *weil*, *würde*, *wurde*, das zweite *der* und *nannte* sind nicht verbunden, weil sie keine Entsprechung
  haben.

## Fall 1: Namen

Wenn beide Sätze die Teile eines Namens enthalten, verbinden Sie die Teile einzeln. Verbinden Sie sonst den ganzen Namen
mit den Wörtern, die für den Namen stehen.

- *Dr. Inge Holm sprach – Inge Holm sprach*: **Inge – Inge**, **Holm – Holm**; *Dr.* ist nicht verbunden.
- *die Vereinten Nationen – die UNO*: **Vereinten + Nationen – UNO**.

## Fall 2: Umschreibungen statt Namen

Verbinden Sie eine Umschreibung und einen Namen als Blöcke, wenn beide dieselbe Person oder Sache meinen. Verbinden Sie
ebenso zwei Umschreibungen für dieselbe Person oder Sache. Die Verbindung ist sicher, wenn jede Umschreibung die andere
ersetzen könnte. Sie ist möglich, wenn eine Umschreibung deutlich mehr sagt als die andere.

- *die Hauptstadt – Oslo*, wenn Oslo gemeint ist: **die + Hauptstadt – Oslo**.
- *der Torwart – der 23-Jährige aus Leeds*: *der + Torwart – der + 23-Jährige + aus + Leeds*.

## Fall 3: Zeitformen

Wenn die Sätze dasselbe Ereignis in verschiedenen Zeitformen beschreiben, ist die Verbindung zwischen den Vollverben
sicher und die Verbindung zwischen den Hilfsverben möglich.

- *sie ist umgezogen – sie zog um*: **sie – sie**, **umgezogen – zog + um**, *ist – zog + um*.
- *es wird öffnen – es soll öffnen*: **es – es**, **öffnen – öffnen**, *wird – soll*.

## Fall 4: Nomen mit verschiedenen Begleitern

Verbinden Sie die Nomen als sicher. Verbinden Sie die Begleiter als sicher, wenn sie dasselbe bedeuten, und sonst als
möglich. Verbinden Sie keinen Begleiter ohne Entsprechung.

- *ein Sturm – der Sturm*: **Sturm – Sturm**, *ein – der*.
- *jeder Gast – alle Gäste*: *jeder – alle*, **Gast – Gäste**.
- *Kinder – die Kinder*: nur **Kinder – Kinder**.

## Fall 5: Verben aus mehreren Wörtern

Verbinden Sie Vollverben mit Vollverben und Hilfsverben mit Hilfsverben. Die Verbindungen sind sicher, wenn beide Verben
in derselben Zeitform stehen und beide aktiv oder beide passiv sind. Sonst sind die Verbindungen möglich.

- *wurde gebaut – war gebaut worden*: **gebaut – gebaut**, *wurde – war + worden*.
- *hat nicht geantwortet – hat nichts erwidert*: **hat – hat**, *nicht – nichts*, **geantwortet – erwidert**.

## Fall 6: Trennbare Verben

Die Teile eines trennbaren Verbs gehören zusammen. Verbinden Sie beide Teile mit dem entsprechenden Wort.

- *sie sagten das Spiel ab – sie strichen das Spiel*: **sagten + ab – strichen**.
- *er zog den Mantel aus – dann zog er den Mantel aus*: **zog – zog**, **aus – aus**.

## Fall 7: Genitiv

Verbinden Sie einen Genitiv mit der Wortgruppe, die dieselbe Aufgabe hat. Verbinden Sie keine Präposition, die nur ein
Satz braucht.

- *der letzte Flug des Piloten – der letzte Flug von dem Piloten*: **der – der**, **letzte – letzte**, **Flug – Flug**,
  **des – dem**, **Piloten – Piloten**; *von* ist nicht verbunden.

## Fall 8: Pronomen

Zwei Pronomen erhalten eine sichere Verbindung, wenn sie dieselbe Person oder Sache meinen. Die Verbindung zwischen
einem Pronomen und einem Namen oder Nomen ist möglich, weil das Pronomen allein weniger sagt.

- *Marta verlor ihren Schlüssel – sie verlor ihren Schlüssel*: *Marta – sie*, **ihren – ihren**.
- *er mochte ihn – er mochte den Film*: **er – er**, **mochte – mochte**, *ihn – den + Film*.

## Fall 9: Wiederholungen

Wenn ein Wort in einem Satz zweimal und im anderen einmal vorkommt, verbinden Sie das Vorkommen mit derselben Aufgabe.
Verbinden Sie das andere Vorkommen nicht. Wenn beide dieselbe Aufgabe haben, verbinden Sie beide.

- *er lief und lief bis zum Abend – er lief bis zum Abend*: eine Verbindung **lief – lief**, mit dem näheren *lief*.
- *der Norden und der Süden waren einig – Nord und Süd waren einig*: Kein *der* ist verbunden.

## Fall 10: Tippfehler und ungefähre Entsprechungen

Verbinden Sie ein falsch geschriebenes Wort so, als wäre es richtig geschrieben.

- *die Regirung stürzte – die Regierung stürzte*: **Regirung – Regierung**.

Wörter, die einander nur ungefähr entsprechen, zum Beispiel gerundete Zahlen, erhalten eine mögliche Verbindung.

- *etwa vierzig Menschen – 43 Menschen*: *etwa + vierzig – 43*, **Menschen – Menschen**.
- *der Laden war überfüllt – der Laden war voll*: **überfüllt – voll**; *wenige Kunden – viele Kunden*: *wenige* und
  *viele* sind nicht verbunden, weil sie einander widersprechen.
"""
