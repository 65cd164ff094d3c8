"""Find the sentences of a draft that its facts do not bear out, so that a person reads them first."""
