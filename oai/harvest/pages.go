package harvest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"quire/model"
	"quire/oai/client"
	"quire/oai/protocol"
)

// pages requests one page after the other, and stores each before the next.
func (h *harvest) pages(ctx context.Context) (err error) {
	ahead := &prefetcher{harvest: h}
	defer func() { err = errors.Join(err, ahead.drop(), h.sink.close()) }()
	h.list.begin(h.pagesRead())
	empty := 0
	for h.window.Ended == nil {
		if err := ctx.Err(); err != nil {
			return err
		}
		answer, err := ahead.get(ctx)
		cut := errors.Is(err, client.ErrCut)
		if err != nil && (answer == nil || !cut) {
			return err
		}
		if !cut {
			ahead.ask(ctx, answer.NextToken())
		}
		response, err := h.page(ctx, answer)
		if err = errors.Join(err, answer.Close()); err != nil {
			return err
		}
		if response.Verb == "" && len(response.Errors) == 0 && !cut {
			if empty++; empty > 5 {
				return fmt.Errorf("%s returns neither records nor an error, after %d attempts", h.client.Base(), empty)
			}
			h.found(CodeServer, model.Warning,
				"the answer contains neither records nor an error; the page is requested again")
			continue
		}
		empty = 0
		if err := h.next(response, cut); err != nil {
			return err
		}
		if err := h.commit(); err != nil {
			return err
		}
	}
	return nil
}

// question returns the arguments of the next request.
func (h *harvest) question() url.Values {
	args := url.Values{"verb": {string(protocol.ListRecords)}}
	w := h.window
	if w.Token != "" {
		args.Set("resumptionToken", w.Token)
		return args
	}
	args.Set("metadataPrefix", h.state.Prefix)
	for name, value := range map[string]string{"set": h.state.Set, "from": w.From, "until": w.Until} {
		if value != "" {
			args.Set(name, value)
		}
	}
	if w.Restart != "" {
		args.Set("from", w.Restart)
	}
	return args
}

// page reads one page and stores its content.
func (h *harvest) page(ctx context.Context, answer *client.Answer) (*client.Response, error) {
	p := &page{harvest: h, ctx: ctx, answer: answer, n: h.pagesRead() + 1,
		when: answer.Began.UTC().Truncate(time.Second)}
	response, err := answer.Read(client.Visitor{Record: p.record, Lenient: true, Tell: h.findingRecorder(h.window.Pages + 1)})
	if err != nil && !errors.Is(err, client.ErrCut) {
		return nil, err
	}
	if response == nil { // from an answer that ended before its start
		response = &client.Response{}
	}
	h.window.Counts.Add(p.counts)
	h.window.Counts.Received += answer.Sent
	h.state.Counts.Add(p.counts)
	h.state.Counts.Received += answer.Sent
	h.window.Pages++
	h.window.Run++
	h.window.RunNew += p.counts.Records
	if t := response.Token; t != nil {
		if n, ok := t.CompleteListSize.Get(); ok && n > 0 {
			h.window.Size = n
		}
	}
	h.list.page(response.Units, p.counts.Records+p.refused)
	h.report()
	return response, nil
}

// pagesRead returns the number of pages of all windows.
func (h *harvest) pagesRead() int64 {
	var n int64
	for _, w := range h.state.Windows {
		n += w.Pages
	}
	return n
}

func (h *harvest) report() {
	if h.Progress != nil {
		c := h.window.Counts
		h.Progress(Progress{Pages: h.window.Pages, Records: c.Records, Bytes: c.Received, Size: h.window.Size})
	}
}

// next decides the step after a page.
func (h *harvest) next(r *client.Response, cut bool) error {
	w := h.window
	switch {
	case r.Has(protocol.NoRecordsMatch) && r.Units == 0:
		h.end(true, "the server says that nothing more matches")
		return nil
	case len(r.Errors) > 0 && w.Token != "":
		return h.restart("the resumptionToken is refused: " + errorText(r))
	case len(r.Errors) > 0 && r.Units == 0:
		return fmt.Errorf("%s refuses to list records (%s)", h.client.Base(), errorText(r))
	case cut:
		return h.restart("the answer broke off each time it was asked for")
	case r.Token == nil || r.Token.Value == "":
		h.end(true, "the list has come to its end")
		return nil
	case h.list.endless(h.MaxRecords) != "":
		h.stop(h.list.endless(h.MaxRecords))
		return nil
	case len(r.Token.Value) > maxToken:
		return h.restart(fmt.Sprintf("the resumptionToken has %d bytes, and more than %d are not sent back",
			len(r.Token.Value), maxToken))
	}
	list := fmt.Sprintf("%d %d", len(h.state.Windows), w.Restarts)
	again, err := h.sink.index().token(list, r.Token.Value, h.pagesRead())
	if err != nil {
		return err
	}
	if again || r.Token.Value == w.Token {
		return h.restart("the server gives the same resumptionToken again and again")
	}
	w.Token = r.Token.Value
	return nil
}

// maxToken is the longest accepted resumptionToken in bytes. The state stores it too.
const maxToken = 1 << 20

// end ends the window.
func (h *harvest) end(complete bool, why string) {
	w := h.window
	now := h.Now().UTC().Truncate(time.Second)
	w.Ended, w.Complete, w.End, w.Token = &now, complete, why, ""
	if got := w.Counts.Records + w.Counts.Refused + w.Counts.Duplicates; complete && w.Restarts == 0 && w.Size > 0 &&
		got != w.Size {
		h.found(CodeCount, model.Warning,
			fmt.Sprintf("the server announced %d records (completeListSize), but listed %d", w.Size, got))
	}
}

// maxFruitlessRestarts is the maximum number of restarts of a list without a new record.
const maxFruitlessRestarts = 3

// restart requests the list again: from the last datestamp if records came in order, otherwise from
// the beginning. Known records are skipped.
func (h *harvest) restart(why string) error {
	w := h.window
	if w.Barren++; w.RunNew > 0 {
		w.Barren = 0
	}
	if w.Barren >= maxFruitlessRestarts {
		h.stop(fmt.Sprintf("%s; %d restarts brought no new record", why, w.Barren))
		return nil
	}
	w.Restarts++
	w.Token, w.Run, w.RunNew, w.RunLast, w.Restart = "", 0, 0, time.Time{}, ""
	h.list.begin(h.pagesRead())
	from := "the begin"
	if w.Ordered && !w.Last.IsZero() {
		w.Restart = h.stamp(w.Last)
		from = w.Restart
	}
	h.found(CodeRestart, model.Warning, fmt.Sprintf("%s; the list is requested again from %s on", why, from))
	return nil
}

// commit syncs the recent work in order: first the records, then the index of seen records, finally
// the state.
func (h *harvest) commit() error {
	if err := h.sink.commit(); err != nil {
		return err
	}
	h.noting.Lock()
	defer h.noting.Unlock()
	if h.noteErr != nil {
		return h.noteErr
	}
	return h.folder.save(h.state)
}

// windowN returns the number of the window, from 1.
func (h *harvest) windowN() int { return len(h.state.Windows) }
