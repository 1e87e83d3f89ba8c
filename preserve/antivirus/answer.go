package antivirus

import (
	"fmt"
	"strings"
	"unicode"

	"quire/model"
)

// Verdict is the result of scanning one payload.
type Verdict struct {
	Outcome   model.ScanOutcome // clean, infected or not scanned
	Signature string            // the name of the virus
	Reason    string            // why it was not scanned, in the same words for every payload
	// an *AwayError if it was not scanned because clamd was unreachable or answered nonsense;
	// otherwise nil
	Away error
}

// notScanned is the verdict on a payload that clamd refused to scan completely.
func notScanned(reason string) Verdict { return Verdict{Outcome: model.ScanNotDone, Reason: reason} }

// limitPrefix is the prefix of names that do not mean a virus. clamd uses them if it reached a
// limit before the end of the content and AlertExceedsMax is set (clamd.conf(5)). Without this
// option, clamd answers OK for such content.
const limitPrefix = "Heuristics.Limits.Exceeded"

// The answers to INSTREAM are "stream: OK", "stream: NAME FOUND", and texts that end in "ERROR"
// (clamd(8)).
const (
	streamPrefix = "stream: "
	foundSuffix  = " FOUND"
	errorSuffix  = " ERROR"
	limitAnswer  = "INSTREAM size limit exceeded"
)

// maxSignature bounds the name of a virus, in bytes.
const maxSignature = 256

// judge reads the answer to a stream. An unknown answer is an error: it is never treated as clean.
func judge(answer string) (Verdict, error) {
	switch text, isStream := strings.CutPrefix(answer, streamPrefix); {
	case strings.HasPrefix(answer, limitAnswer):
		return notScanned("it is larger than clamd takes (StreamMaxLength)"), nil
	case isStream && text == "OK":
		return Verdict{Outcome: model.ScanClean}, nil
	case isStream && strings.HasSuffix(text, foundSuffix) && len(text) > len(foundSuffix):
		return found(strings.TrimSuffix(text, foundSuffix)), nil
	case strings.HasSuffix(answer, errorSuffix):
		return notScanned("clamd answers: " + readable(answer)), nil
	}
	return Verdict{}, fmt.Errorf("the answer %.100q is not a valid answer to INSTREAM", answer)
}

func found(name string) Verdict {
	name = readable(name)
	if strings.HasPrefix(name, limitPrefix) {
		return notScanned("it exceeds a limit of clamd: " + name)
	}
	return Verdict{Outcome: model.ScanInfected, Signature: name}
}

// readable makes a text of clamd safe for reports: of bounded length, and without control
// characters.
func readable(text string) string {
	if len(text) > maxSignature {
		text = text[:maxSignature]
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}

// readVersion reads the answer to VERSION: "ClamAV 1.4.6/27500/Mon Nov 3 09:00:00 2025". The text
// after the first slash is absent if ClamAV's own database is not loaded.
func readVersion(answer string) (model.Scanner, error) {
	program, database, _ := strings.Cut(readable(answer), "/")
	name, version, ok := strings.Cut(program, " ")
	if !ok || name == "" || version == "" || strings.HasSuffix(answer, errorSuffix) {
		return model.Scanner{}, fmt.Errorf("the answer %.100q is not a valid answer to VERSION", answer)
	}
	number, date, dated := strings.Cut(database, "/")
	if dated {
		number += " of " + date
	}
	return model.Scanner{Name: name, Version: version, Database: number}, nil
}
