"""The default guidelines for a new best–worst study in German. Researchers can edit the guidelines."""

GUIDELINES = """\
Sie sehen jeweils einige wenige Einträge. Die Frage über den Einträgen bittet Sie, zwei davon auszuwählen: einen Eintrag
für jedes Ende einer Skala.

- Vergleichen Sie **nur die Einträge auf der Seite**. Auch wenn sich alle Einträge einer Seite ähneln, wählen Sie zwei
  davon aus.
- Wählen Sie beide Einträge in beliebiger Reihenfolge.
- Verlassen Sie sich auf **Ihr eigenes Urteil**. Schlagen Sie bitte nichts nach, denn wir möchten Ihren ersten Eindruck
  erfahren.
- Wenn Ihnen zwei Einträge gleich erscheinen, wählen Sie den Eintrag, der Ihnen zuerst in den Sinn kam.

Die Position eines Eintrags auf der Seite hat keine Bedeutung. Accord mischt die Einträge für jede Person neu.

Die meisten Fragen haben keine richtige Antwort. Bei einigen Fragen ist die Antwort bekannt. Diese Fragen zeigen, ob
aufmerksam gelesen wird. Sie können nicht erkennen, bei welchen Fragen die Antwort bekannt ist.
"""
