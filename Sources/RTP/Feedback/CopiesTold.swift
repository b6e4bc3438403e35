/// How many of one's own packets have come twice at the other side, by its reports.
struct CopiesTold: BitwiseCopyable {
  private var begin: UInt16?
  private var stretch = 0
  private var before = 0

  @_noLocks
  init() {}

  /// In all.
  var count: Int { @_noLocks get { before &+ stretch } }

  /// Takes in a report: of the same stretch as the one before, which has grown, or of the next.
  @_noLocks
  mutating func take(_ report: CopiesReport) {
    if let begin, begin != report.begin {
      before = before &+ stretch
      stretch = 0
    }
    begin = report.begin
    // One that came late says less.
    if report.count > stretch { stretch = report.count }
  }
}
