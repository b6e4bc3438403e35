/// Whether noise is added before samples are rounded.
enum Dither: Hashable, Sendable {
  /// TPDF on 16 bit, if something was changed.
  case automatic
  /// TPDF on every whole-number format.
  case always
  case never
}
