package harvest

import (
	"quire/model"
	"quire/oai/client"
	"quire/source/oaiharvest"
)

// Codes of findings about a harvest, beside those of package client.
const (
	CodeServer     = "HARVEST-SERVER"     // something the server says of itself, or does not answer
	CodeRestart    = "HARVEST-RESTART"    // a list could not be followed to its end, and was asked for anew
	CodeIncomplete = "HARVEST-INCOMPLETE" // the server does not give what it lists: records are missing
	CodeCount      = "HARVEST-COUNT"      // another number of records came than was announced
	CodeMissing    = "HARVEST-MISSING"    // the bytes of a resource are not here
	CodeDiffers    = "HARVEST-DIFFERS"    // the bytes of a resource are not those that were meant
	CodeDocument   = "HARVEST-DOCUMENT"   // a CRATE or DIDL in which something is wrong
	CodeNotice     = "HARVEST-NOTICE"     // what the server says of a CRATE that it could not make whole
)

// tell takes what is found on a page of the window, from 1; on page 0 is what is about none.
func (h *harvest) tell(page int64) client.Tell {
	return func(f model.Finding) {
		if f.Code == client.CodeRecord { // whoever keeps the record notes it, with where it is kept
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

// found notes what is about the harvest as a whole.
func (h *harvest) found(code string, severity model.Severity, message string) {
	h.note(oaiharvest.Finding{Code: code, Severity: string(severity), Message: message})
}

// maxMessage is how long a message may be, in bytes: servers quote themselves.
const maxMessage = 2000

// note keeps a finding.
func (h *harvest) note(f oaiharvest.Finding) {
	h.noting.Lock() // the page ahead has findings of its own
	defer h.noting.Unlock()
	f.Time, f.Window = h.Now().UTC(), h.windowN()
	if len(f.Message) > maxMessage {
		f.Message = f.Message[:maxMessage] + "…"
	}
	if h.state.Findings[f.Code]++; h.state.Findings[f.Code] == 1 {
		h.state.First = append(h.state.First, f)
	}
	if err := h.folder.add(h.state, oaiharvest.FindingsFile, f); err != nil && h.noteErr == nil {
		h.noteErr = err // told at the next commit
	}
}
