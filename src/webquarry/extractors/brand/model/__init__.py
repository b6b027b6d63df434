"""The parts of a dossier."""
