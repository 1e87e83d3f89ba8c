export default "bare";
