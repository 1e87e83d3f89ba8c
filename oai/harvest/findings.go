package harvest

import (
	"quire/model"
	"quire/oai/client"
	"quire/source/oaiharvest"
)

// Codes of findings on a harvest, in addition to those of package client.
const (
	CodeServer     = "HARVEST-SERVER"     // a missing or noteworthy statement of the server
	CodeRestart    = "HARVEST-RESTART"    // a list failed before its end and was requested anew
	CodeIncomplete = "HARVEST-INCOMPLETE" // the server does not deliver records that it lists
	CodeCount      = "HARVEST-COUNT"      // the number of records differs from the announced one
	CodeMissing    = "HARVEST-MISSING"    // the bytes of a resource are missing
	CodeDiffers    = "HARVEST-DIFFERS"    // the bytes of a resource differ from the intended bytes
	CodeDocument   = "HARVEST-DOCUMENT"   // an error in a CRATE or DIDL
	CodeNotice     = "HARVEST-NOTICE"     // the server's notice on an incomplete CRATE
)

// findingRecorder returns a function that records the findings of a page of the window, from 1. Page 0 is for
// findings without a page.
func (h *harvest) findingRecorder(page int64) client.FindingFunc {
	return func(f model.Finding) {
		if f.Code == client.CodeRecord { // recorded later, with the place of the stored record
			return
		}
		id := ""
		if f.Record != nil {
			id = *f.Record
		}
		if f.Code == client.CodeUnavailable && h.Progress != nil {
			h.Progress(Progress{Waiting: f.Message})
		}
		h.note(oaiharvest.Finding{Code: f.Code, Severity: string(f.Severity), Page: page, Offset: f.Offset,
			Identifier: id, Message: f.Message})
	}
}

// found records a finding on the harvest as a whole.
func (h *harvest) found(code string, severity model.Severity, message string) {
	h.note(oaiharvest.Finding{Code: code, Severity: string(severity), Message: message})
}

// maxMessage is the maximum length of a message in bytes. Servers quote themselves.
const maxMessage = 2000

// note stores a finding.
func (h *harvest) note(f oaiharvest.Finding) {
	h.noting.Lock() // the page ahead has its own findings
	defer h.noting.Unlock()
	f.Time, f.Window = h.Now().UTC(), h.windowN()
	if len(f.Message) > maxMessage {
		f.Message = f.Message[:maxMessage] + "…"
	}
	if h.state.Findings[f.Code]++; h.state.Findings[f.Code] == 1 {
		h.state.First = append(h.state.First, f)
	}
	if err := h.folder.add(h.state, oaiharvest.FindingsFile, f); err != nil && h.noteErr == nil {
		h.noteErr = err // returned by the next commit
	}
}
