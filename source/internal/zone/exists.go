package zone

import (
	"sync"
	"time"
	_ "time/tzdata" // the system may lack zone data
)

// places are those whose clocks differ from UTC by no whole hour, at some time since 1970. Whole
// hours from -12:00 to +14:00 exist at any time.
var places = []string{
	"America/Caracas", "America/Guyana", "America/Montevideo", "America/Paramaribo", "America/Santo_Domingo",
	"America/St_Johns", "Africa/Monrovia", "Asia/Colombo", "Asia/Kabul", "Asia/Kathmandu", "Asia/Kolkata",
	"Asia/Pyongyang", "Asia/Singapore", "Asia/Tehran", "Asia/Yangon", "Australia/Adelaide", "Australia/Darwin",
	"Australia/Eucla", "Australia/Lord_Howe", "Pacific/Apia", "Pacific/Chatham", "Pacific/Honolulu",
	"Pacific/Kiritimati", "Pacific/Marquesas", "Pacific/Nauru", "Pacific/Niue", "Pacific/Norfolk",
	"Pacific/Pitcairn", "Pacific/Rarotonga",
}

// Exists reports whether a zone had this offset from UTC at that time, by the tables of the IANA
// time zone database.
func Exists(ahead time.Duration, at time.Time) bool {
	switch {
	case ahead < west || ahead > east:
		return false
	case ahead%time.Hour == 0:
		return true
	}
	for _, place := range tables() {
		if _, offset := at.In(place).Zone(); time.Duration(offset)*time.Second == ahead {
			return true
		}
	}
	return false
}

// tables returns the rules of the places.
var tables = sync.OnceValue(func() (all []*time.Location) {
	for _, name := range places {
		if place, err := time.LoadLocation(name); err == nil {
			all = append(all, place)
		}
	}
	return all
})
