// box paints a field green when its test returns true.
function box(name, test) {
	const d = document.createElement("div");
	d.textContent = name;
	d.style = "display:inline-block;width:150px;height:70px;color:white;background:grey;margin:2px;overflow:hidden";
	(document.getElementById("out") || document.body).append(d);
	const late = new Promise((_, no) => setTimeout(() => no("too late"), 8000));
	Promise.race([Promise.resolve().then(test), late]).then((v) => {
		d.style.background = v === true ? "green" : "red";
		if (v !== true) console.log(name, v);
	}, (e) => {
		d.style.background = "red";
		console.log(name, String(e));
	});
}
