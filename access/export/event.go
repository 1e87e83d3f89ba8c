package export

import (
	"context"
	"fmt"
	"strings"

	"quire/holdings"
	"quire/internal/humanize"
	"quire/model"
	"quire/repository/store"
)

// Limits of the details in an event. Further items are only counted, and are included in the digest
// of the list.
const (
	maxNamed = 100
	maxNote  = 2000 // bytes of one note
)

// readers names the classes in event texts.
var readers = map[holdings.Class]string{
	holdings.Public: "public readers", holdings.OnSite: "readers in the reading rooms", holdings.Staff: "curators",
}

// record writes the event of the export to the log of the package.
func (w *work) record(ctx context.Context, st *store.Store, r *Result) error {
	h := store.Action{
		Type: model.Dissemination, By: w.request.By,
		Detail: fmt.Sprintf("handed out as %s for %s: %s", w.format.Name, readers[r.For], w.summary(r)),
	}
	if w.source.kept.counts[Unreadable] > 0 || w.source.broken > 0 {
		h.Outcome = model.Warned
	}
	h.Notes = append(h.Notes, fmt.Sprintf("%s of version %s", w.format.Title, r.Version))
	for _, f := range w.files {
		h.Notes = append(h.Notes, note("handed out: %s, %d bytes, SHA-512 %s", f.Path, f.Size, f.SHA512))
	}
	if r.Files > int64(len(w.files)) {
		h.Notes = append(h.Notes,
			fmt.Sprintf("handed out: %d files more; SHA-512 of the list that sha512sum writes of all, by path: %s",
				r.Files-int64(len(w.files)), w.list))
	}
	w.source.kept.reasons(func(why Reason, n int64) {
		if why != Damaged {
			h.Notes = append(h.Notes, fmt.Sprintf("kept back, %s: %d", why, n))
		}
	})
	if w.source.broken > 0 {
		h.Notes = append(h.Notes, fmt.Sprintf("containers with errors, of which records may be missing: %d",
			w.source.broken))
	}
	if w.source.hidden > 0 {
		h.Notes = append(h.Notes, fmt.Sprintf("kept back, and not told of: %d captures", w.source.hidden))
	}
	if w.source.kept.whole > 0 {
		h.Notes = append(h.Notes,
			fmt.Sprintf("the package as it is stored, with %d captures or files that no reader gets",
				w.source.kept.whole))
	}
	named := 0
	for item, err := range w.source.kept.all() {
		if err != nil {
			return err
		}
		if named++; named > maxNamed {
			h.Notes = append(h.Notes, fmt.Sprintf("kept back: %d more", w.source.kept.total-maxNamed))
			break
		}
		h.Notes = append(h.Notes, note("kept back: %s: %s", item.Reason,
			strings.Join(strings.Fields(fmt.Sprintln(item.Timestamp, item.URL, item.Path, item.Verdict, item.Message)),
				" ")))
	}
	e, err := st.Record(ctx, r.ID, h)
	r.Event = e.File
	if err != nil {
		return fmt.Errorf("%s was created, but its event was not recorded: %w", r.Path, err)
	}
	return nil
}

func (w *work) summary(r *Result) string {
	text := fmt.Sprintf("%s, %s, %d bytes", humanize.Number(r.Captures, "capture", "captures"),
		humanize.Number(r.Files, "file", "files"), r.Bytes)
	if n := w.source.kept.withheld() + w.source.hidden; n > 0 {
		text += fmt.Sprintf("; %d kept back", n)
	}
	return text
}

// note formats a note, limited in length, because an event may have hundreds.
func note(format string, args ...any) string {
	text := strings.ToValidUTF8(fmt.Sprintf(format, args...), "�")
	if len(text) > maxNote {
		text = strings.ToValidUTF8(text[:maxNote], "") + " …"
	}
	return text
}

// Stored records the event of a package that was exported as stored.
func Stored(ctx context.Context, st *store.Store, r store.ExportResult, by string) (file string, err error) {
	e, err := st.Record(context.WithoutCancel(ctx), r.ID, store.Action{
		Type: model.Dissemination, By: by,
		Detail: fmt.Sprintf("handed out as it is stored: %s, %s, %d bytes; nothing was kept back", r.Version,
			humanize.Number(r.Files, "file", "files"), r.Bytes),
		Notes: []string{"every file had the digest that the inventory of the version states"},
	})
	if err != nil {
		err = fmt.Errorf("%s was created, but its event was not recorded: %w", r.Folder, err)
	}
	return e.File, err
}
