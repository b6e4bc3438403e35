/// Finds the word that the user probably meant.
package enum Suggestion {
  /// Returns the candidate nearest to `word`; nil if none is near enough.
  ///
  /// A word of up to three letters may be one edit away, a longer one a third of its length. Otherwise the only
  /// candidate that begins with the word is taken, if the word has two letters at least.
  package static func nearest(to word: some StringProtocol, among candidates: [String]) -> String? {
    // Two numbers that differ by one digit may have quite different meanings.
    guard word.contains(where: \.isLetter) else { return nil }
    let allowed = max(1, word.count / 3)
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
      let distance = distance(Array(word), Array(candidate))
      if distance <= allowed, distance < candidate.count, distance < best?.distance ?? .max {
        best = (candidate, distance)
      }
    }
    if let best { return best.candidate }
    guard word.count >= 2 else { return nil }
    let longer = candidates.filter { $0.hasPrefix(word) }
    return longer.count == 1 ? longer[0] : nil
  }

  /// Returns the end of an error sentence: `; did you mean 'x'?`, or `otherwise`.
  package static func ending(
    for word: some StringProtocol, among candidates: [String], prefix: String = "", otherwise: String
  ) -> String {
    nearest(to: word, among: candidates).map { "; did you mean '\(prefix)\($0)'?" } ?? otherwise
  }

  /// Returns the number of edits between two words: insert, delete, replace, and swap of two neighbors.
  ///
  /// Source: optimal string alignment.
  package static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    for row in 1..<(left.count + 1) {
      var current = [row]
      for column in 1..<(right.count + 1) {
        let isSame = left[row - 1] == right[column - 1]
        var cost = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (isSame ? 0 : 1))
        if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
          cost = min(cost, beforeLast[column - 2] + 1)
        }
        current.append(cost)
      }
      beforeLast = last
      last = current
    }
    return last[right.count]
  }
}
