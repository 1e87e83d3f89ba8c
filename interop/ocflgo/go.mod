module quire/interop/ocflgo

go 1.26.2

require (
	github.com/srerickson/ocfl-go v0.11.1
	quire v0.0.0
)

replace quire => ../..
