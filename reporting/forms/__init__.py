"""Documents that report a study in the form of a checklist or a datasheet."""
