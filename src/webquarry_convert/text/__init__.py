"""Text from strangers: its charset, its marks, what cannot be seen in it, its dates."""
