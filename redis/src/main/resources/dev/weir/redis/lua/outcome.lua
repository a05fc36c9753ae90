-- Notes how the application answered calls that were allowed.
--
-- KEYS: the key of the behaviour
-- ARGV: 'outcome'; the settings of the model; the subject's hash; the outcomes
-- REPLY: 1 if damaged state was found; the time; the tier; 1 if the subject is in good standing

behaviour.read_settings(ARGV[2])
local now = now_micros()
local text = read_string(KEYS[1])
local subject, is_damaged_subject = behaviour.at(text == nil and '' or text, now)
behaviour.outcomes(subject, ARGV[4], tonumber(ARGV[3]))
write_subject(KEYS[1], subject, now)
return {
  is_damaged_subject and 1 or 0, now, subject.tier,
  behaviour.is_in_good_standing(subject) and 1 or 0
}
