package api

import (
	"encoding/json"
	"errors"

	"github.com/danielgtaylor/huma/v2"
)

// errNull is the error for a body with a null.
var errNull = errors.New("null is no value: leave the field out")

// The description has no null: no list of an answer is nil.
func init() { huma.DefaultArrayNullable = false }

// formats are those of huma, but refuse null in a body. huma takes it for a field that is not there, and the
// description of the API has no null.
func formats() map[string]huma.Format {
	refuse := huma.Format{Marshal: huma.DefaultJSONFormat.Marshal, Unmarshal: func(text []byte, to any) error {
		if err := json.Unmarshal(text, to); err != nil {
			return err
		}
		if read, ok := to.(*any); ok && hasNull(*read) {
			return errNull
		}
		return nil
	}}
	return map[string]huma.Format{"application/json": refuse, "json": refuse}
}

// hasNull reports whether a value of JSON has a null anywhere. encoding/json bounds the depth.
func hasNull(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case []any:
		for _, e := range v {
			if hasNull(e) {
				return true
			}
		}
	case map[string]any:
		for _, e := range v {
			if hasNull(e) {
				return true
			}
		}
	}
	return false
}
