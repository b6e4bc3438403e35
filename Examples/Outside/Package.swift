// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Outside",
  // In a package of yours: .package(url: "THE REPOSITORY", branch: "main").
  dependencies: [.package(name: "audiopipe", path: "../..")],
  targets: [
    .executableTarget(
      name: "Observer",
      dependencies: [
        .product(name: "Engine", package: "audiopipe"),
        .product(name: "FrameObservers", package: "audiopipe"),
      ])
  ]
)
