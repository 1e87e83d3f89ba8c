package facts

import (
	"quire/model"
	"quire/source"
	"quire/source/internal/zone"
)

// DoubtZone reports why the zone of a log is not known, although there is evidence. It is a warning
// if sources disagree, because one of them is wrong, and a copied file may be the reason.
func (f *Facts) DoubtZone(log string, z zone.Zone) {
	if z.Doubt == "" {
		return
	}
	severity := model.Info
	if z.Disagree {
		severity = model.Warning
	}
	f.Find(source.CodeClock, severity, log, 0,
		"the zone of its times is in doubt, and each date from it is uncertain by %v; %s", z.Leeway, z.Doubt)
}
