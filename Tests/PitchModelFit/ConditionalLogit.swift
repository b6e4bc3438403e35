import Glibc

/// Fits a conditional logit by Newton's method: the negative log likelihood is convex.
struct ConditionalLogit {
  private let featureCount: Int
  private var features: [Float] = []
  /// The first candidate of each observation, their number, the right one (-1: none), and the observation's weight.
  private var observations: [(first: Int, count: Int, right: Int, weight: Double)] = []
  private var candidateCount = 0
  private var totalWeight = 0.0
  /// Of the squares of all weights but the first, so that none runs away.
  private let penalty = 1e-5

  init(featureCount: Int) { self.featureCount = featureCount }

  var observationCount: Int { observations.count }

  mutating func add(count: Int, right: Int?, weight: Double, features row: (Int) -> UnsafeMutablePointer<Float>) {
    observations.append((candidateCount, count, right ?? -1, weight))
    for index in 0..<count { features += UnsafeBufferPointer(start: row(index), count: featureCount) }
    candidateCount += count
    totalWeight += weight
  }

  /// The weights with the highest likelihood.
  func fit() -> [Double] {
    var weights = [Double](repeating: 0, count: featureCount)
    var loss = loss(weights)
    for _ in 0..<50 {
      let (gradient, curvature) = slopes(weights)
      let step = solve(curvature, gradient)
      var share = 1.0
      var next = loss
      var candidate = weights
      repeat {
        for index in weights.indices { candidate[index] = weights[index] - share * step[index] }
        next = self.loss(candidate)
        share /= 2
      } while next > loss && share > 1e-6
      guard next < loss - 1e-10 else { break }
      (weights, loss) = (candidate, next)
    }
    return weights
  }

  /// The mean negative log likelihood, and the penalty.
  func loss(_ weights: [Double]) -> Double {
    var sum = 0.0
    visit(weights) { _, probabilities, silent, observation in
      let probability = observation.right < 0 ? silent : probabilities[observation.right]
      sum -= observation.weight * log(max(probability, 1e-30))
    }
    return sum / totalWeight + penalty * weights.dropFirst().reduce(0) { $0 + $1 * $1 }
  }

  private func slopes(_ weights: [Double]) -> (gradient: [Double], curvature: [Double]) {
    let size = featureCount
    var gradient = [Double](repeating: 0, count: size)
    var curvature = [Double](repeating: 0, count: size * size)
    var mean = [Double](repeating: 0, count: size)
    visit(weights) { rows, probabilities, _, observation in
      for index in 0..<size { mean[index] = 0 }
      for candidate in 0..<observation.count {
        let row = rows + candidate * size
        let share = probabilities[candidate]
        let error = (share - (candidate == observation.right ? 1 : 0)) * observation.weight
        for index in 0..<size {
          let value = Double(row[index])
          gradient[index] += error * value
          mean[index] += share * value
          let scaled = observation.weight * share * value
          for other in 0...index { curvature[index * size + other] += scaled * Double(row[other]) }
        }
      }
      for index in 0..<size {
        for other in 0...index { curvature[index * size + other] -= observation.weight * mean[index] * mean[other] }
      }
    }
    for index in 0..<size {
      gradient[index] = gradient[index] / totalWeight + (index > 0 ? 2 * penalty * weights[index] : 0)
      for other in 0...index {
        curvature[index * size + other] /= totalWeight
        curvature[other * size + index] = curvature[index * size + other]
      }
      curvature[index * size + index] += 2 * penalty
    }
    return (gradient, curvature)
  }

  /// Calls `body` with each observation's features and the probabilities of its candidates and of none.
  private func visit(
    _ weights: [Double],
    _ body: (UnsafePointer<Float>, [Double], Double, (first: Int, count: Int, right: Int, weight: Double)) -> Void
  ) {
    var probabilities = [Double](repeating: 0, count: 16)
    features.withUnsafeBufferPointer { buffer in
      for observation in observations {
        let rows = buffer.baseAddress! + observation.first * featureCount
        var sum = 1.0
        for candidate in 0..<observation.count {
          var score = 0.0
          for index in 0..<featureCount { score += weights[index] * Double(rows[candidate * featureCount + index]) }
          probabilities[candidate] = exp(min(score, 60))
          sum += probabilities[candidate]
        }
        for candidate in 0..<observation.count { probabilities[candidate] /= sum }
        body(rows, probabilities, 1 / sum, observation)
      }
    }
  }

  /// Solves a symmetric, positive system by elimination.
  private func solve(_ matrix: [Double], _ values: [Double]) -> [Double] {
    let size = values.count
    var (rows, result) = (matrix, values)
    for pivot in 0..<size {
      for row in pivot + 1..<max(pivot + 1, size) {
        let share = rows[row * size + pivot] / rows[pivot * size + pivot]
        for column in pivot..<size { rows[row * size + column] -= share * rows[pivot * size + column] }
        result[row] -= share * result[pivot]
      }
    }
    for pivot in stride(from: size - 1, through: 0, by: -1) {
      for column in pivot + 1..<max(pivot + 1, size) { result[pivot] -= rows[pivot * size + column] * result[column] }
      result[pivot] /= rows[pivot * size + pivot]
    }
    return result
  }
}
