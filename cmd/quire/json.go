package main

import (
	"bytes"

	"quire/internal/jsonline"
)

// json prints v on one line, by the rules that all commands share.
func (t *terminal) json(v any) error {
	var line bytes.Buffer
	if err := jsonline.Encode(&line, v); err != nil {
		return err
	}
	t.print(line.String())
	return t.failed
}
