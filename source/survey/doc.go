// Package survey tells what a source holds before anything is done with it: which harvests, how they were recognised, what is
// known of each and from what, what nobody knows.
//
//	s, err := detect.Open(ctx, "delivery/")
//	v, err := survey.Make(ctx, s, survey.Options{Fetches: true}) // reads each harvest once, and with Fetches its logs
//	json.NewEncoder(os.Stdout).Encode(v)                         // what "quire identify-source --json" prints
//	report.Survey(os.Stdout, v, report.TextOptions{})            // what it prints for people
//
// The JSON form is a contract: names stay, names may be added. docs/identify-source.md describes it.
package survey
