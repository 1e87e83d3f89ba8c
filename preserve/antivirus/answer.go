package antivirus

import (
	"fmt"
	"strings"
	"unicode"

	"quire/model"
)

// Verdict is what is known of one payload.
type Verdict struct {
	Outcome   model.ScanOutcome // clean, infected or not scanned
	Signature string            // what was found
	Reason    string            // why it was not scanned, in words that do not differ from payload to payload
	// an *AwayError when it was not scanned since clamd was away, or not in its senses; nil
	// otherwise
	Away error
}

// notScanned is the verdict on a payload of which clamd has said that it cannot say more.
func notScanned(reason string) Verdict { return Verdict{Outcome: model.ScanNotDone, Reason: reason} }

// limitPrefix begins the names of what is no virus: a limit of clamd was reached before the end of
// the content, and AlertExceedsMax is set (clamd.conf(5)). Without that option clamd calls such
// content OK.
const limitPrefix = "Heuristics.Limits.Exceeded"

// The answers to INSTREAM are "stream: OK", "stream: NAME FOUND", and others that end in "ERROR"
// (clamd(8)).
const (
	streamPrefix = "stream: "
	foundSuffix  = " FOUND"
	errorSuffix  = " ERROR"
	limitAnswer  = "INSTREAM size limit exceeded"
)

// maxSignature bounds the name of a virus, in bytes.
const maxSignature = 256

// judge reads the answer to a stream. What is no answer that is known is an error: it is never
// taken for a good one.
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
	return Verdict{}, fmt.Errorf("it answers %.100q, which is no answer to INSTREAM", answer)
}

func found(name string) Verdict {
	name = readable(name)
	if strings.HasPrefix(name, limitPrefix) {
		return notScanned("it exceeds a limit of clamd: " + name)
	}
	return Verdict{Outcome: model.ScanInfected, Signature: name}
}

// readable makes of a text of clamd one that can stand in a report: of bounded length, and without
// control characters.
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

// readVersion reads the answer to VERSION: "ClamAV 1.4.6/27500/Mon Nov 3 09:00:00 2025", without
// what follows the first slash when no database of ClamAV itself is loaded.
func readVersion(answer string) (model.Scanner, error) {
	program, database, _ := strings.Cut(readable(answer), "/")
	name, version, ok := strings.Cut(program, " ")
	if !ok || name == "" || version == "" || strings.HasSuffix(answer, errorSuffix) {
		return model.Scanner{}, fmt.Errorf("it answers %.100q, which is no answer to VERSION", answer)
	}
	number, date, dated := strings.Cut(database, "/")
	if dated {
		number += " of " + date
	}
	return model.Scanner{Name: name, Version: version, Database: number}, nil
}
