/// A part of a figure: a name, a value axis, and what is drawn against it and the figure's time axis.
struct Panel: Sendable {
  /// A label on the value axis.
  struct Tick: Hashable, Sendable {
    let value: Double
    let label: String
  }

  /// One thing that the picture shows, and how it is drawn.
  struct LegendEntry: Hashable, Sendable {
    enum Sample: Hashable, Sendable { case area, line, mark }

    let label: String
    let style: String
    let sample: Sample
  }

  /// Paths of a style, later ones above earlier ones.
  struct Layer: Sendable {
    let path: Path
    let style: String
  }

  let box: Box
  let scale: Scale
  /// Stands above it; empty where the panel above has said it.
  var name = ""
  /// Stands in its middle, where there is nothing to draw.
  var message = ""
  var ticks: [Tick] = []
  /// Whether labels at its ends stay within its height, because neighbours have some there too.
  var keepsLabelsInside = false
  /// Values with a faint line and no label.
  var minorTicks: [Double] = []
  var legend: [LegendEntry] = []
  /// Behind the grid.
  var backdrop: [Layer] = []
  var layers: [Layer] = []
}
