// Marks the row of the tide table that is next. The page is complete without it.
document.addEventListener("DOMContentLoaded", function () {
  var now = new Date().getHours();
  var rows = document.querySelectorAll("tr[data-hour]");
  for (var i = 0; i < rows.length; i++) {
    if (Number(rows[i].dataset.hour) >= now) {
      rows[i].className = "tide-high";
      break;
    }
  }
});
