"""Why a metric of a case's assertion is undefined: one reason, so that a report says it once."""

NOT_ASKED = "the case does not ask for it"
