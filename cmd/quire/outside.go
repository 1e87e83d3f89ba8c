package main

import (
	"github.com/alecthomas/kong"

	"quire/repository/store"
)

// outside refuses a call whose --out is inside a repository or a copy, before the command begins.
// This covers every command with that flag.
func outside(call *kong.Context) error {
	for _, f := range call.Flags() {
		if out, isText := call.FlagValue(f).(string); f.Name == "out" && isText && out != "" && out != "-" {
			if err := store.CheckOutside(out); err != nil {
				return err
			}
		}
	}
	return nil
}
