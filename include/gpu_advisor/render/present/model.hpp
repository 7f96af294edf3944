#pragma once

#include <string>

#include "gpu_advisor/model/model_spec.hpp"
#include "gpu_advisor/ops/operation.hpp"
#include "gpu_advisor/render/document/document.hpp"
#include "gpu_advisor/render/present/texts.hpp"

namespace gpu_advisor::render {

/// `gpu-advisor/model@1` of INTERFACE.md.
[[nodiscard]] std::string model_json(const model::ModelSpec& model,
                                     const ops::OperationList& operations);
[[nodiscard]] Document model_document(const model::ModelSpec& model,
                                      const ops::OperationList& operations, Language language);

}  // namespace gpu_advisor::render
