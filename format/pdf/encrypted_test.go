package pdf

// encrypted is one small document, encrypted by qpdf 11.3.0 in each way that opens without a
// password: qpdf --static-id --static-aes-iv --encrypt "" own … Deflated, in Base64.
var encrypted = map[string]string{
	"rc40": "eNplk0tu2zAQhvc6xWy8TMXnUAQELRLHQNEWMZy0myCLoThyVRhSILNA0uP0Ij1Wd0VpB43VWAQB8af+eXwDLdbL1YV8Z4rFr" +
		"98//xQSBIzhW1HXUK5py3vQ" +
		"WdlAeff8yFBeUaLduIWmKXiIhw/VzHA1MaV+HJaUGGq0bAI709lgNHUuegwxBPaSO+Os0EgS0aNrIxpscoo+7bLPCQocdWxmWfQ8y" +
		"/h9SCCh/NDHPdyDORb4" +
		"8K/El6pPVjOzfuLY0+X4lF0iLyUEyLwfDq6Jc9T/mj1EmgWys0Crfpd4gvI20RBpilB+5GGbvoIRUN5AbT1xaEVQqopCkYxRUhddY" +
		"KsoKuPzocUsZBReaUPG" +
		"h44scnCqrYSkTGMNFwbKDSgoP0PNSlOrUHrmCj1b3zqjrRcSI0qWHTpfuSr4YERsfUuxMoLRkOyklc5mmOWXzOzUzdPEXSEAC/H6A" +
		"FqrLXTwqsnc8/FmOGlo" +
		"zrQ8xjNNqXOv8tVJSxP1u8zwgPP90I2gXthvxvEw3eP7bf+DAfP9Eu5rITMpi67yFNrI3dtzU2tppPUKcxeVd14rXRlUaLSutHLeN" +
		"nnQ10M7PT8msMcMmcc+" +
		"0ZSONKzIf8Hi+mZV/AXer82R",
	"rc128": "eNplUktq3EAU3OsUbzNLR/3/gNDCHg+EJHgYO9kYL/rzeqIwSEbTATvHyUVyrOxCWjLxKB4JQataVfWqWqvtenNB34lq9ev3" +
		"zz8VBQKD/1Y1DdRbt8cj8ILs" +
		"oL57fkSor1x2h2EPbVthH6cP2YJwNaLL3dCvXUZoko86ITfJec+oTDFQQmUMiWnCLCYfoqUOo9E2xtQWiy4fCg/RGhc1bRcufOkyf" +
		"O8zUKg/dPEI9yDmAR/+" +
		"jfgy9YkqFtRPGDt3OTwVFik3IwRoeR4m1ohF9b+wk9JCSC6ENt0h4wj1bXZ9dGOE+iP2+/wVKDNQ30CjZPKIXisUylKvYxDeeZTeU" +
		"hrQaGpV4jaSkKIjiRDL" +
		"iOGGMy0od5qKUscWLgTUuzJT/RmagDrwQFkMLEYMQqNCzkUiTjlCTamWMSGVK2YOJeWCae5U9GUVjA6T4BdgizhPI6aKgKrI6wVKS" +
		"i4hwStGS+h5pz9hSpxh" +
		"VKkzjLFzLrPmhOXRdYdS4tTn+z4NwF7K3w3DdLzz+rb7gaDK/hrumxKRl4jaWFf+HUxv39uGU0GlZaqkMFZbzrgRiinB52qtbMtJX" +
		"/dhfH7MIGeH0scxuzHP" +
		"bUgiq9Xq+mZT/QVYiM36",
	"aes128": "eNqNU81O3EAMvucpfNkjzfxPRopWatldqWoRCFouiINnxoFU2wSFUEEfpy/Sx+oN1VkKm5ZL86PxeOzP9mfP4mS1OZBvXLH" +
		"4+evHYyFBQB+/FHUN5Qle0S1o" +
		"1pxC+enhhqA8xBG3/RUslwV1eTJUM4fDgXBs+26FI0EtSCaFujLOGqe88FSlgFhFl0xWJILWImVvgjURnc+uqrSSDr3WSntjvJMSo" +
		"3VoVUZMFmPUTjfRqSY4" +
		"r2nJSbXj9n8ipYSMk0kbUqGqXEShpEVyuaFG+eWsHj2vp7/rRpBQfmjzLVyA2VFx+UzGEz97VzNzPaLc4rv+nr0Ev0oIkPxfTl4DM" +
		"epftE5IMyA7z2ED03I2" +
		"5j/S27vxev1tgihXfTq+oW4yOuKD9dm5gvIjdVfjNUjHgNNXbtrtSMMEgV3GIe9NVAXlMdTONpEoekfGBRl9TtyQSDYGKRNVXgbX6" +
		"JBFajKKRoigRKW5V95I" +
		"jV4ajnECBwbKU2aIw3zdPOfLy7DffIY6kU86SZWTypmS8eRIa9MIdChkJYVUynCrOA0kK7VRXqPLkaVU+TSFOucge6ruB2oKAa4QL" +
		"w84a7WFBl50kgndnXR7" +
		"nTOvdMqrVzqt5SudETPfccB2y/ROrXnfNT2op8ae9v00Ojv5rP1O4Ph8BRc1l6i5RF8FjClT8+9+WWtppA3KcRVV8IFvA0+2ckbvS" +
		"A92yVO07tLwcDOC3UVg" +
		"Pm5HHMYdG17oYrFYH2+K3wgXAlM=",
	"aes256r5": "eNqNVM1uGzkMvvspdMmxO5JI/QGGgaa2gWJbpEjaXIoeKIlKvXBngvG0SPs4fZE+Vm/FctxN4t1cdv4kkSJFfvw4Z2/W2" +
		"2fmj7A4+/Hz+6+FUVoN+a/Fcqm6" +
		"zd3E/WE39Ac1L5+vzzfHyTkd+JrHWaM6MT3Z+Yq/8F6BWq3mp3tDN3yQpVaXqnv79ZZV94Im2g83ol5wX+ej7MmRL0amSfysaWK11" +
		"GyKJYjoHXobdOBYElHM" +
		"vmC1rI2lBCYAouHKoQK4nJB9puRqLdSKa0AxOfKgYZZjhmpaqWRarE0ifLub9v/jpOQJsg6JoMk8O0y+xGQoa0rBkl6d5AOn+Qyf+" +
		"0kZ1f25qwf1XuERig/3" +
		"YPzG59EUT0xfc93R+XAnVlpuq7Uy8n6YrUYWr/+CdfZ04sidxrA9Vu1qqv/Mnn+ePm6+zC669VAubrmfN70WxebqGlT3ivub6aMCe" +
		"1/G7W4/8Ti7oL7SWB+2" +
		"WOdVd6GWXrtWBa0SvUGLPiW0qRg2toToIQH4olvAonXJMflmmApB4GwiRkTtGwr41LBJ4XLT5KyJlprxPgjyEsOFcC8yN+PESEptp" +
		"aw15BykoDGwS0HXIjxA" +
		"VyNLDCZDwpgQdEw1Y6No4sxI9Qzly+MnIXVm24IxZK110UrkNVAiGVDHIELZf6ncnPen7T2AMoyPi3dqachU4QQUF1oA4RWlknPxl" +
		"lvIXvwBQLAYtde5tegL" +
		"cHXOoEbIxEDYsjvyGHIQ2kWo2gdIuRjnEjBLEO8kd9OwOFFT0RRYV2tciqY6k20WwhrPLToS0mOkiJlDTBpJKArForSFuLmWXB4pc" +
		"jdyW2jlF/rhUt45cKqp" +
		"B5kRIh01/YPMgH4iA4hPZSk8kWE4sZ1G2u2FVjMlX/ZtUPY3oS+HYW6Z4/xq942VcOzlWr1fSr8DOi+ZUS6V23/XqyUYFFislyxiC" +
		"gns3NHWo8QHNiS3ku7Z" +
		"9GX8ejspdzxB8DhMNE5HNIw28h8821xsF38DzLRZBQ==",
	"aes256r6": "eNqNVMtuGzkQvOsrePExO002n4AgII4kINgEDuzElyCHJtl0tFBmjNEkcPI5+ZF8Vm7B9ihrW7u+rKSRyCZZXV1d1Nmb9" +
		"faZ/iMszn78/P5roRWoIf+1WC5V" +
		"t7mbuD/shv6g5unz9fnmODinA1/zOK+oTo6e7HzFX3ivolqt5k/3hm74oFAwL1X39ustq+4FTbQfbmR5wX2dU5mTlC9Gpklw1jSxW" +
		"gLrYgij9c56EyBwLIko" +
		"Zl9sNQzoTLNYoZaSCmoOUaM3pbnA1WWbC6TAIZlgKZWIxRuba7E2aqgJTROGb3fT/n9kcqVlgKobZqedzdgweQENxenAoFcn9eBpP" +
		"cPnflJadX/u6kG9V/Yo" +
		"xYd7MX7r83jUnhx9zXVH58OdnAJ5GwCl5fkwnxpZUP8l64x0AuROOWyPXbua6j+j55+nj5svM0S3HsrFLffzpteysLm6RtW94v5m+" +
		"qjQ3Ldxu9tPPM4Q1Fca" +
		"68MW47zqLtSy1SBtaLHZlDVJU1pKRfQqlEJojo3BYjlQwBJZi6YlI4A0K5GOxlYW4XMmaRswewwOQ87ZuZoaOwYWDhfiPW84RwHSZ" +
		"AEiVke1odOtxmRY+gdB" +
		"G2kNaNIZasXK3LKrzevYYmGaHameWfnm8ZOY2nE2RRin1tCkOT0WyAmIgjS1BNl/qfxc96ftvYDyMz5O3qkl5pq9cMBUuLTmaxZAY" +
		"QqFdGstm1DYUESwATC2" +
		"rI0QNZKiNAApu7ENzgkVSZ6bWDBmUcZpYiTSdSb9TmrX4sCILiJmIRl8QiEKMULIxJAriSpaZBEzmuCqD75ln2wE73KwLgnMtXInF" +
		"rkbuS1A+QU8vJR3Dp1q" +
		"6iGmxUjHlf4hphGexBDj01gKT2IiwWNsGmm3F1vNlnzZt0GZ34a+HIb5yhzHV7tvPHfg5Vq9X0plaJ0PMVEuldt/56slaqtdMl6qi" +
		"CnIFZ9vtPFW+KEJya3k" +
		"9mz6Mn69nZQ7ZhA9DhON01ENDVr+B882F9vF33ZFXZU=",
	"os256": "eNp1k11oHUUUx9MKQbfQRNAHaZGpNgFLk9353sVLIDf3XkhJTbhJo1CEzseZNCX3g72bkhStL6KFVnzQxs8XBWmwFvGhVVFo" +
		"KcWWPmiVVvqiVVSoT4oItVBa" +
		"Z2+SJlhkP2aGc2bOOb85/56xUqUP98ug5/SN928HGEWoofcFhQIKy3MZ1FvTjXoL5cvBUrHcnhRVCyYhzS0o9FvXeI7AfphBMRoYy" +
		"N9wTE1BC1F/ZhWFE/NN" +
		"QOGQytRMY8qbA6jbPBRZE3LJZ1TvG89qKByB+lS2F2EpUFiZnskg9eOMyqAEpmG941P+bG9JWxnCPD+ylaWgasHGzdviyoRuHjzy9" +
		"uKpc9/9VHzuzK0vSt/v" +
		"/HGr7g2unCXvPLlw9NDihfPH130za65n3R9f+zP4q3WDZMPfHj4wPDRYffjOYxfgo5v/XLr/988ffXzjoWMfdDXf+qyLd/x6/sNFs" +
		"zB/8cErZOq9Fy7bPrOp" +
		"69rVLVdvHinefuKhk5f/fuXMjh0nN31aXHj9+erWS3bLyyOwIRy4vnl7bcPED7+88eXPJw6/eeKPysWv+j/Zvu3V39a/9sDR7lOex" +
		"HLmy0zEGiZDlTb18cwu" +
		"zwZns73l/VDPUFhqmNEm1HOnnd5QHp+kd7FRsnINK+zGM1W3KrV3XQj3ZEdRgUlmSJQwbJjjEbZgDaFKmlhhTZxzlGihsdEaCJFWK" +
		"y0kc4pBJGPOEjDccM2t" +
		"oiohIIig0hgRYxARiROKpfI5jPreUdRpISBhjjoZRZGREgNVfgeXKgajnNQYmBAMOwPaGseNJJRzsABMxXlHoT7m/5DWfFMagcGB9" +
		"O4xUTQRiZAiif0jrGRE" +
		"Cu9fRSKvu1ZZAeiHdHWxCxW0sJAYFkfEKWUIixQ2seE2iqyhTGDuKSjrCQHhXCsVc5qwRGIacQtCSU+NO0mw9YXSRDqNnSOeFPaJe" +
		"BraJ7HL1w6UGQWSCOzL" +
		"53mVhoFmVkbaWh9X+HCEcGmFMpYnSsjISRDGUqYAuPHHTCK+RjbyHtk8UwW3evvx/2hmaRxTbYJ5ezVmZmte4jnWFOy0yRopwu3eC" +
		"Z9GuxFGxH/PonC47ho+" +
		"g7aWq42Gl9zSfHz6AHjJh8MltLsQYUIZFzJOlDYW3H/XAwWKPbDEXznlcSITSmjMfAcwSmNKZMIHfKhy3aTzzQyJdoRVXc+9a3TH+" +
		"t5K58HO3s6XdPfxdef0" +
		"nhe77zxy7JbRe6quo6Mf3/d1cI+cWplKs7kUXJBwGvT0lEcrwb81SI7h",
}
