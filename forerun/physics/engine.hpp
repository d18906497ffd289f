// MuJoCo, kept at arm's length: its model and its data as owned objects, and a text that it compiles.
#pragma once

#include <memory>
#include <string>

#include "forerun/base/result.hpp"

// MuJoCo's own types, so that its headers stay in few files
struct mjModel_;
struct mjData_;

namespace forerun::physics {

struct ModelDeleter {
  void operator()(mjModel_* model) const noexcept;
};
struct DataDeleter {
  void operator()(mjData_* data) const noexcept;
};
using ModelPointer = std::unique_ptr<mjModel_, ModelDeleter>;
using DataPointer = std::unique_ptr<mjData_, DataDeleter>;

// Of a description in MuJoCo's own language.
[[nodiscard]] Result<ModelPointer> compile_model(const std::string& text);
[[nodiscard]] DataPointer make_data(const mjModel_& model);

}  // namespace forerun::physics
