package store

// Phase is a phase of an operation.
type Phase string

// The phases of an ingest, and of a repair of one package. Other operations have only one.
const (
	Copying     Phase = "copying"      // reading the package once and writing every copy
	ReadingBack Phase = "reading back" // reading every copy from its disk
	Auditing    Phase = "auditing"
	Exporting   Phase = "exporting"
	Repairing   Phase = "repairing" // many packages
)

// Progress is the progress of an operation, in bytes.
type Progress struct {
	Phase       Phase
	Done, Total int64
}

// meter adds up bytes and reports them.
type meter struct {
	report func(Progress)
	at     Progress
}

func newMeter(report func(Progress), phase Phase, total int64) *meter {
	m := &meter{report: report, at: Progress{Phase: phase, Total: total}}
	m.add(0)
	return m
}

func (m *meter) add(bytes int64) {
	m.at.Done += bytes
	if m.report != nil {
		m.report(m.at)
	}
}
