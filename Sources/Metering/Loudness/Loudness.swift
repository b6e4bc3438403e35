public import Platform

/// How loud a file is, as broadcasters measure it.
public struct Loudness: Hashable, Sendable {
  /// The loudness at one moment.
  public struct Moment: Hashable, Sendable, BitwiseCopyable {
    /// The end of the windows, in seconds.
    public let timeSeconds: Double
    /// Loudness of the 400 ms before, in LUFS; before the file lies silence. Nil for silence.
    public let momentary: Double?
    /// Loudness of the 3 s before, in LUFS; before the file lies silence. Nil for silence.
    public let shortTerm: Double?

    package init(timeSeconds: Double, momentary: Double?, shortTerm: Double?) {
      self.timeSeconds = timeSeconds
      self.momentary = momentary
      self.shortTerm = shortTerm
    }
  }

  /// A row for each interval.
  public let moments: SpooledRows<Moment>
  /// Loudness of the whole, gated, in LUFS; nil for silence, and for less than 400 ms of sound.
  public let integrated: Double?
  /// How much it varies, in LU; nil for less than 3 s of sound.
  public let range: Double?
  /// The largest true peak, in dBTP; nil for silence.
  public let truePeak: Double?

  package init(moments: SpooledRows<Moment>, integrated: Double?, range: Double?, truePeak: Double?) {
    self.moments = moments
    self.integrated = integrated
    self.range = range
    self.truePeak = truePeak
  }
}
