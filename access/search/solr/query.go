package solr

import "strings"

// Quote returns a text as one term in quotation marks: nothing in it is syntax.
func Quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// OneOf returns a condition: a field has one of some values.
func OneOf(field string, values ...string) string {
	if len(values) == 0 {
		return Nothing
	}
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = Quote(v)
	}
	return field + ":(" + strings.Join(quoted, " OR ") + ")"
}

// Conditions without a field.
const (
	Everything = "*:*"
	Nothing    = "(*:* -*:*)"
)

// separator separates the values of a list. Solr would take white space as a separator of words.
const separator = "␟"

// Among returns a condition for a long list: a field has one of the values of a parameter. List makes its
// value.
func Among(field, parameter string) string {
	return "{!terms f=" + field + " separator='" + separator + "' v=$" + parameter + "}"
}

// List returns the value of a parameter for [Among].
func List(values []string) string {
	clean := make([]string, 0, len(values))
	for _, v := range values {
		if !strings.Contains(v, separator) {
			clean = append(clean, v)
		}
	}
	return strings.Join(clean, separator)
}

// Within returns a condition in the form for use inside another one.
func Within(condition string) string { return `_query_:` + Quote(condition) }
