extension Array where Element: Comparable {
  /// Returns the place of an element of an ascending array; nil if it is not there. Cost: logarithmic.
  package func sortedIndex(of element: Element) -> Int? {
    var range = 0..<count
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      if self[middle] == element { return middle }
      range = self[middle] < element ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }
}
