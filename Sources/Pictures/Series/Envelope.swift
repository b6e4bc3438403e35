/// A series over time in a bounded number of cells, for any length: once all are taken, neighbors are merged in pairs.
///
///     units   0 1 2 3 4 5 6 7           a cell each, as long as there are cells
///     cells   [0 1] [2 3] [4 5] [6 7]   then each twice as many, and so on
///
/// A unit is the owner's unit of count, such as a sample. Every cell has `unitsPerCell` of them, the last perhaps
/// fewer.
package struct Envelope<Cell: EnvelopeBin>: Sendable {
  /// Some cells, and the units that they summarize.
  package struct Column {
    package let units: Range<Int>
    package let cell: Cell
  }

  package private(set) var cells: [Cell] = []
  package private(set) var unitsPerCell: Int
  /// Number of units so far.
  package private(set) var count = 0
  private let capacity: Int

  /// - Parameters:
  ///   - capacity: largest number of cells, an even number; a series that is long enough has at least half as many.
  ///   - unitsPerCell: units of a cell at the beginning.
  package init(capacity: Int, unitsPerCell: Int = 1) {
    precondition(capacity > 0 && capacity % 2 == 0 && unitsPerCell > 0, "pairs need an even number of cells")
    self.capacity = capacity
    self.unitsPerCell = unitsPerCell
  }

  /// Adds a unit.
  package mutating func append(_ cell: Cell) { append(1) { _ in cell } }

  /// Adds units; `measure` summarizes a range of them, always within one cell.
  package mutating func append(_ unitCount: Int, _ measure: (Range<Int>) -> Cell) {
    var index = 0
    while index < unitCount {
      if count == cells.count * unitsPerCell, cells.count == capacity { mergePairs() }
      let free = cells.count * unitsPerCell - count
      let range = index..<min(unitCount, index + (free > 0 ? free : unitsPerCell))
      let next = measure(range)
      if free > 0 { cells[cells.count - 1].merge(next) } else { cells.append(next) }
      count += range.count
      index = range.upperBound
    }
  }

  /// Returns the series in at most `maximum` columns, each with the cells that begin in it; fewer only if there are
  /// fewer cells.
  package func columns(atMost maximum: Int) -> [Column] {
    let columnCount = min(cells.count, max(1, maximum))
    return (0..<columnCount).map { column in
      let first = column * cells.count / columnCount
      let end = (column + 1) * cells.count / columnCount
      var cell = cells[first]
      for index in first + 1..<max(end, first + 1) { cell.merge(cells[index]) }
      return Column(units: first * unitsPerCell..<min(count, end * unitsPerCell), cell: cell)
    }
  }

  private mutating func mergePairs() {
    for index in 0..<cells.count / 2 {
      cells[index] = cells[2 * index]
      cells[index].merge(cells[2 * index + 1])
    }
    cells.removeLast(cells.count / 2)
    unitsPerCell *= 2
  }
}
