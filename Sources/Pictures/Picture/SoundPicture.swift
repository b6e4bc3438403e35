package import AudioGraph
public import Engine
import JSON

/// A picture of a sound: waveform, level and pitch on one time axis, and events.
///
/// A `SoundTrack` follows the sound while a job runs, and `FileAnalysis.onPitch` has the rows of a `PitchSeries`.
/// Documentation/Programs.md has an example.
public struct SoundPicture: Picture, Sendable {
  package let title: String
  package let subtitle: String
  /// Course of the sound; nil if no sample came.
  package let sound: SoundSeries?
  package let pitch: PitchSeries
  package var events: [Figure.Event] = []

  package init(title: String, subtitle: String, sound: SoundSeries?, pitch: PitchSeries, events: [Figure.Event]) {
    self.title = title
    self.subtitle = subtitle
    self.sound = sound
    self.pitch = pitch
    self.events = events
  }

  /// Creates a picture.
  ///
  /// - Parameters:
  ///   - title: Title, such as the name of a file.
  ///   - subtitle: Line below the title.
  ///   - sound: Series of a `SoundTrack` that has followed the sound; nil if no sample came.
  ///   - pitch: Pitch of the same sound.
  ///   - events: Events to name below the time axis; some kinds are left out.
  public init(
    title: String, subtitle: String = "", sound: SoundSeries?, pitch: PitchSeries = PitchSeries(),
    events: [PipelineEvent] = []
  ) {
    self.init(
      title: title, subtitle: subtitle, sound: sound, pitch: pitch,
      events: events.compactMap { event in
        event.kind.label.map { Figure.Event(seconds: event.time / .seconds(1), label: $0) }
      })
  }

  /// Draws the picture.
  ///
  /// - Returns: text of an SVG file.
  public func svg(_ size: PictureSize = .standard, theme: Theme = .auto) -> String { figure(size).svg(theme) }

  /// Returns the subtitle: the origin of the sound, its format and its length.
  package static func subtitle(_ origin: String, _ format: AudioFormat, seconds: Double, isWhole: Bool) -> String {
    let rate = "\(JSONWriter.digits(Double(format.sampleRate) / 1_000, 3)) kHz".replacing(".0 kHz", with: " kHz")
    let channels =
      switch format.channelCount {
      case 1: "mono"
      case 2: "stereo"
      default: "\(format.channelCount) channels"
      }
    return ([origin, rate, channels, length(seconds)] + (isWhole ? [] : ["stopped before its end"]))
      .filter { !$0.isEmpty }.joined(separator: " · ")
  }

  private static func length(_ seconds: Double) -> String {
    guard seconds >= 59.995 else {
      return JSONWriter.digits(seconds, seconds < 1 ? 4 : 2).replacing(/\.0$/, with: "") + " s"
    }
    let whole = Int(seconds.rounded())
    return [(whole / 3_600, "h"), (whole / 60 % 60, "min"), (whole % 60, "s")].filter { $0.0 > 0 }
      .map { "\($0.0) \($0.1)" }.joined(separator: " ")
  }

  /// Computes the layout of the picture.
  package func figure(_ size: PictureSize) -> Figure {
    let seconds = sound?.seconds ?? 0
    // A sound without samples has an axis all the same.
    let time = Scale(0...(seconds > 0 ? seconds : 1), across: PictureLayout.columns(size))
    let labels = EventLabels(events, time: time, right: Double(size.width))
    // A legend that does not fit beside its panel's name takes some of the panels' height; a lower panel may have a
    // longer name.
    var lines = [0, 0, 0]
    while true {
      let layout = PictureLayout(
        size: size, channelCount: sound?.waves.count ?? 1, eventRows: labels.rowCount, legendLines: lines)
      let panels = panels(layout, time)
      let needed = [panels[0], panels[panels.count - 2], panels[panels.count - 1]].map(\.legendLines)
      if zip(needed, lines).allSatisfy({ $0 <= $1 }) {
        return Figure(
          width: layout.width, height: layout.height, title: title, subtitle: subtitle, panels: panels, time: time,
          timeTicks: TimeTicks(seconds: time.domain.upperBound, atMost: Int(layout.level.width / 90)),
          eventBox: layout.events, events: labels)
      }
      lines = zip(needed, lines).map { max($0, $1) }
    }
  }

  private func panels(_ layout: PictureLayout, _ time: Scale) -> [Panel] {
    WaveformPanels(waves: sound?.waves ?? [], sampleRate: sound?.sampleRate ?? 1, time: time).panels(layout.waves) + [
      LevelPanel(levels: sound?.levels, sampleRate: sound?.sampleRate ?? 1, time: time).panel(layout.level),
      PitchPanel(series: pitch, time: time).panel(layout.pitch),
    ]
  }
}
