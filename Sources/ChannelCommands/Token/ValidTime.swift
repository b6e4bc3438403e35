/// Length of a token's validity: a whole number of `s`, `m`, `h` or `d`.
enum ValidTime {
  /// Returns the seconds of a text such as `1h`; nil for another text, and beyond 10 years.
  ///
  /// 0 is for the caller to refuse.
  static func seconds(_ text: String) -> Int64? {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
    guard let unit = text.last.flatMap({ units[$0] }), let count = Int64(text.dropLast()), count >= 0,
      count <= 3_650 * 86_400 / unit, text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") })
    else { return nil }
    return count * unit
  }
}
