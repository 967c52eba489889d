"""The default guidelines and worked examples for a new paraphrase study in German. Researchers can edit both."""

GUIDELINES = """\
Sie sehen einen Satz, in dem einige Wörter markiert sind, und eine Liste anderer Wörter. Stellen Sie sich den Satz mit
jedem der anderen Wörter an der Stelle der markierten Wörter vor.

- Wählen Sie **Ja**, wenn der Satz dasselbe bedeuten würde, oder so beinahe dasselbe, dass niemand ihn missverstehen
  würde.
- Wählen Sie **Nein**, wenn der Satz etwas anderes bedeuten würde oder keinen Sinn ergäbe.

Es kommt nur auf die Bedeutung *in diesem Satz* an. Zwei Wörter, die oft dasselbe bedeuten, können sich in diesem Satz
unterscheiden. Zwei Wörter, die sonst Verschiedenes bedeuten, können in diesem Satz dasselbe bedeuten.

Sehen Sie über kleine Grammatikfehler hinweg. Wählen Sie zum Beispiel „Ja“, wenn *Fabriken* das Wort *Werk* ersetzen
könnte und nur die Mehrzahl falsch ist.

Oft passen mehrere Wörter. Wenn kein Wort passt, wählen Sie für alle Wörter „Nein“. Bei einigen Fragen kennen wir die
Antworten schon. Diese Fragen zeigen, ob aufmerksam gelesen wird. Sie sehen nicht, welche Fragen das sind.
"""

WORKED_EXAMPLES = """\
> Sie setzte sich vor der **Bank** auf die Treppe und wartete, bis sie öffnete.

- *Sparkasse*: Ja. Das Haus ist dasselbe.
- *Filiale*: Ja. Die Bedeutung ist nicht ganz dieselbe, aber wer den Satz liest, denkt an dasselbe Haus.
- *Sitzbank*: Nein. Eine Sitzbank ist eine andere Art von Bank.

> Wischen Sie die Linse vor jeder **Aufnahme** mit einem weichen Tuch ab.

- *Fotografie*: Ja.
- *Fotos*: Ja. Die Mehrzahl ist falsch, aber die Bedeutung stimmt.
- *Anmeldung*, *Zulassung*: Nein. Diese Wörter können *Aufnahme* nur in anderen Sätzen ersetzen.
"""
