// Package csvcell writes texts from archived content into tables that spreadsheets open.
package csvcell
